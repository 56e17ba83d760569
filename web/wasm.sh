#!/usr/bin/env bash
# Builds the inspector's core as WebAssembly into web/dist/isotherm.wasm, which is not checked in.
# The standard library for it comes from one of these:
#   1. rustup's wasm32-unknown-unknown target;
#   2. the sources of the installed compiler (rustup component add rust-src);
#   3. the same sources as Debian packages them, rust-src or rust-web-src of the compiler's own
#      version: fetched from Debian's mirror, checked against its index, unpacked below target/.
# The last two build the library on the way (-Zbuild-std).
# `web/wasm.sh --ready` builds nothing: it ends in 0 if there is a way, and fetches what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
export CARGO_TARGET_DIR=${ISOTHERM_WASM_TARGET:-target/web}
sysroot=$(rustc --print sysroot)
version=$(rustc --version | cut -d' ' -f2)
mirror=${ISOTHERM_DEBIAN_MIRROR:-https://deb.debian.org/debian}

# The path, the sum and the size of a Debian package with this compiler's sources.
in_debian() {
    local suite
    for suite in trixie-backports trixie forky sid; do
        curl -fsS -m 60 "$mirror/dists/$suite/main/binary-amd64/Packages.xz" 2>/dev/null | xz -dc 2>/dev/null |
            awk -v version="$version" 'BEGIN { RS = ""; FS = "\n" }
                $1 ~ /^Package: rust(-web)?-src$/ && index($0, "\nVersion: " version "+") {
                    for (i = 1; i <= NF; i++) {
                        if ($i ~ /^Filename: /) file = substr($i, 11)
                        if ($i ~ /^SHA256: /) sum = substr($i, 9)
                    }
                    found = file " " sum
                }
                END { if (found) print found; else exit 1 }' && return
    done
    return 1
}

# Fetches the compiler's sources from Debian; prints their folder.
fetch_sources() {
    local folder=target/web/rust-src-$version found
    local library=$folder/usr/src/rustc-$version/library
    if [ ! -f "$library/Cargo.lock" ]; then
        command -v curl >/dev/null && command -v dpkg-deb >/dev/null || return 1
        found=$(in_debian) || return 1
        mkdir -p "$folder"
        curl -fsS -m 300 -o "$folder/package.deb" "$mirror/${found% *}" || return 1
        echo "${found#* } $folder/package.deb" | sha256sum --check --quiet - >&2 || return 1
        dpkg-deb --extract "$folder/package.deb" "$folder"
        rm "$folder/package.deb"
        [ -f "$library/Cargo.lock" ] || return 1
    fi
    (cd "$library" && pwd)
}

build=(build --release --locked -p isotherm-wasm --target "$target")
sources=
if [ ! -d "$sysroot/lib/rustlib/$target/lib" ]; then
    if [ -f "$sysroot/lib/rustlib/src/rust/library/Cargo.lock" ]; then
        sources=$sysroot/lib/rustlib/src/rust/library
    elif ! sources=$(fetch_sources); then
        echo "no standard library for $target and Rust $version: rustup target add $target, or" \
            "rustup component add rust-src" >&2
        exit 1
    fi
    build+=(-Zbuild-std=std,panic_abort)
    # Unstable options of a stable compiler, and where its sources are.
    export RUSTC_BOOTSTRAP=1 __CARGO_TESTS_ONLY_SRC_ROOT=$sources
fi
[ "${1:-}" != --ready ] || exit 0

# A compiler of rustup has its linker for this target with it, Debian's has not.
for linker in "$sysroot"/lib/rustlib/*/bin/rust-lld /usr/bin/wasm-ld*; do
    if [ -x "$linker" ]; then
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
        break
    fi
done
# Native threads have stacks of this size, too.
export RUSTFLAGS="-Ctarget-feature=+simd128 -Clink-arg=-zstack-size=8388608"
# A release does not show where it was built.
if [ -n "${ISOTHERM_REMAP:-}" ]; then
    RUSTFLAGS+=" $ISOTHERM_REMAP${sources:+ --remap-path-prefix=$sources=library}"
fi
export CARGO_PROFILE_RELEASE_PANIC=abort \
    CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
    CARGO_PROFILE_RELEASE_STRIP=true
cargo "${build[@]}"
cp "$CARGO_TARGET_DIR/$target/release/isotherm_wasm.wasm" web/dist/isotherm.wasm
size=$(wc -c < web/dist/isotherm.wasm) packed=$(gzip -9 < web/dist/isotherm.wasm | wc -c)
echo "isotherm.wasm: $size bytes, $packed compressed"
# What a page may cost its visitor.
[ "$packed" -le $((4 << 20)) ] || { echo "that is more than 4 MB" >&2; exit 1; }
