# Everything that must hold before a change is taken: what CI runs, to its last step however long it takes.
check:
    LATEST_START=86400 bash .ci/run

# The everyday part of it.
quick:
    cargo fmt --all -- --check
    mkdir -p target && rustc -O --edition 2024 .ci/structure.rs -o target/structure && target/structure
    .ci/citations
    .ci/paths
    cargo clippy --workspace --all-targets -- -D warnings
    cargo test --workspace

# Every fuzz target in turn, SECONDS each, e.g. `just fuzz 600`.
fuzz SECONDS:
    bash .ci/fuzz {{SECONDS}}

# The criterion benches; `just bench hex` runs one file.
bench *NAME:
    cargo bench -p barrow-benches {{ if NAME == "" { "" } else { "--bench " + NAME } }}

# Licences, advisories, sources and reasons of the dependencies, and that each of these checks can fail.
supply:
    .ci/supply
    .ci/supply self-test

# The bill of materials of a release: target/barrow.cdx.json.
sbom:
    .ci/supply sbom

# The book of docs: links checked, pages in target/book. `just book links` checks the links alone.
book *PART:
    .ci/book {{PART}}

# The packages of a release: target/release-packages. `just release check` tries out those that are there.
release *PART:
    .ci/release {{PART}}

# Header, libraries and pkg-config file of the C interface, e.g. `just capi /usr/local`.
capi PREFIX:
    host/capi/build install '{{PREFIX}}'

# The board in the browser as a static site: target/site.
site:
    host/web/page/build

# The same in Chromium, as a player uses it; PROGRAM is a build of barrow to compare turns and speed with.
browser *PROGRAM:
    .ci/browser {{PROGRAM}}

# Firmware in emulation; `just firmware table` prints the memory of each kind of work.
firmware *PART:
    .ci/firmware {{PART}}

# The Game Boy Advance cartridge and the libretro core, played whole in emulation; pictures in target/artefacts.
cartridge *PART:
    .ci/cartridge {{PART}}

# Ten minutes of games with Ray and without, on a machine with nothing else to do: what Ray costs.
cluster:
    .ci/cluster measure

# Calls of panicking functions that are left in the libraries; `just no-panic search` lists those of a layer.
no-panic *LAYER:
    .ci/no-panic {{LAYER}}

# Search threads under ThreadSanitizer and a model checker, the host under AddressSanitizer, in their long forms.
sanitize:
    .ci/sanitize long

# GAMES games through one UMI process, whose memory must not grow.
soak GAMES="10000":
    BARROW_GAMES={{GAMES}} cargo test --release -p barrow --test soak -- --nocapture

# Whatever attack planning refutes in PLIES plies of a game, checked by VeriPB.
proofs PLIES="40":
    BARROW_PLIES={{PLIES}} cargo test -p barrow-solver --features check,proof --test cdcl game_proofs -- --nocapture

# Mutants on the lines that the last changes touched; `just mutants long 0/8 rules` tries part 0 of 8 of an area's.
mutants *PART:
    .ci/mutants {{PART}}

# 300,000 faulty positions: whatever is accepted yields turns that are read back.
faulty-positions:
    cargo test -p barrow-core --test print_parse -- --ignored
