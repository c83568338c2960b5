# Everything that must hold before a change is taken: what CI runs.
check:
    bash .ci/run

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

# Licences, advisories, duplicates and sources of the dependencies (needs cargo-deny).
deny:
    cargo deny check
