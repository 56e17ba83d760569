#!/usr/bin/env bash
# Installs what `cargo build --release -p isotherm-capi` has built, in the places that cargo-c
# uses: install.sh PREFIX. With cargo-c: `cargo cinstall -p isotherm-capi --prefix PREFIX`.
set -euo pipefail
prefix=${1:?"usage: install.sh PREFIX"}
here=$(cd "$(dirname "$0")" && pwd)
built=${CARGO_TARGET_DIR:-$here/../../target}/release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
major=${version%%.*}

mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/share/isotherm"
install -m 644 "$here"/include/*.h "$prefix/include"
install -m 644 "$here"/record/isotherm_record.c "$prefix/share/isotherm"
install -m 644 "$built/libisotherm.a" "$prefix/lib"
install -m 755 "$built/libisotherm.so" "$prefix/lib/libisotherm.so.$version"
ln -sf "libisotherm.so.$version" "$prefix/lib/libisotherm.so.$major"
ln -sf "libisotherm.so.$version" "$prefix/lib/libisotherm.so"
cat > "$prefix/lib/pkgconfig/isotherm.pc" <<EOF
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: isotherm
Description: A software GPU: NVIDIA Celsius to Curie, ARM Mali-400
Version: $version
Libs: -L\${libdir} -lisotherm
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
EOF
