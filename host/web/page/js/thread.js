// A thread of the engine: an instance of the module on the memory of another worker, which leads. It helps with its searches.

let exports = null;
let index = 0;

onmessage = async ({ data }) => {
  if (data.module) {
    exports = (await WebAssembly.instantiate(data.module, { env: { memory: data.memory } })).exports;
    index = data.index;
    // A stack and local memory of its own, in the room that the leader has reserved.
    exports.__stack_pointer.value = data.room + data.stack;
    exports.__wasm_init_tls(data.room + data.stack);
  } else if (data.help && exports) postMessage({ helped: exports.help(index) });
};
