#!/usr/bin/env bash
# Builds the inspector's core as WebAssembly into web/dist/isotherm.wasm, which is not checked in.
# With rustup's wasm32-unknown-unknown target, or else with Debian's rustc-web, cargo-web and
# rust-web-src, which build the standard library on the way.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
export RUSTFLAGS="-Ctarget-feature=+simd128" CARGO_PROFILE_RELEASE_PANIC=abort \
    CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
    CARGO_PROFILE_RELEASE_STRIP=true CARGO_TARGET_DIR=${ISOTHERM_WASM_TARGET:-target/web}
build=(build --release -p isotherm-wasm --target "$target")
if rustup target list --installed 2>/dev/null | grep -q "^$target$"; then
    cargo "${build[@]}"
elif [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library ]; then
    # Debian's compiler comes without the linker for this target.
    for linker in "$(rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld /usr/bin/wasm-ld*; do
        if [ -x "$linker" ]; then
            export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
            break
        fi
    done
    RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo "${build[@]}" -Zbuild-std=std,panic_abort
else
    echo "no Rust for $target: rustup target add $target, or install rustc-web, cargo-web and rust-web-src" >&2
    exit 1
fi
cp "$CARGO_TARGET_DIR/$target/release/isotherm_wasm.wasm" web/dist/isotherm.wasm
printf 'isotherm.wasm: %s bytes, %s compressed\n' "$(wc -c < web/dist/isotherm.wasm)" \
    "$(gzip -9 < web/dist/isotherm.wasm | wc -c)"
