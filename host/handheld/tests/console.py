"""A console without a screen: a libretro core, buttons pressed by a script, pictures kept as files."""

import ctypes
import libretro
from libretro import JoypadState, SessionBuilder
from PIL import Image

NAMES = dict(A="a", B="b", SELECT="select", START="start", UP="up", DOWN="down", LEFT="left", RIGHT="right", L="l", R="r")


class Console:
    def __init__(self, core, content=None):
        # Waits until what was pressed has been done.
        self.settle = lambda: None
        self.held = None
        self.frames = 0
        builder = SessionBuilder.defaults(core).with_input(self.inputs())
        if content:
            builder = builder.with_content(content)
        self.session = builder.build()

    def inputs(self):
        while True:
            yield JoypadState(**{NAMES[self.held]: True}) if self.held else JoypadState()

    def __enter__(self):
        self.session.__enter__()
        return self

    def __exit__(self, *error):
        return self.session.__exit__(*error)

    def run(self, frames=1):
        for _ in range(frames):
            self.session.run()
        self.frames += frames

    def press(self, *buttons, down=3, up=3):
        for button in buttons:
            self.held = button
            self.run(down)
            self.held = None
            self.run(up)
            self.settle()

    def memory(self):
        """The save memory."""
        return bytes(self.session.core.get_memory(0) or b"")

    def state(self, more=0):
        """The state, in room for so many bytes more than it has."""
        size = self.session.core.serialize_size()
        data = bytearray(size + more)
        assert self.session.core.serialize(data)
        return bytes(data)

    def load_state(self, data):
        return self.session.core.unserialize(bytes(data))

    def load_game_again(self):
        self.session.core.unload_game()
        assert self.session.core.load_game(None)

    def picture(self):
        shot = self.session.video.screenshot()
        size = (shot.width, shot.height)
        return Image.frombytes("RGBA", size, bytes(shot.data)[: shot.width * shot.height * 4], "raw", "RGBA").convert("RGB")

    def screenshot(self, path):
        self.picture().save(path)
