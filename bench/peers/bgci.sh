#!/usr/bin/env bash
# Builds bgci, the checker and dueller of UBGI, and runs it on `tavli ubgi`.
#
# Usage: bench/peers/bgci.sh BGCI BKGM [TAVLI] [GAMES]
#
# BGCI and BKGM are folders with the sources of github.com/bungogood/bgci and its library bkgm; commits 8c8a7b0 and e0c945a
# build together. TAVLI is the program, by default target/release/tavli. Fails if the check does, or if a game of `fast`
# against bgci's own engines is not finished. In the last games bgci drives `tavli gnubg` as it drives GNU Backgammon.
set -euo pipefail
[ $# -ge 2 ] || { sed -n 's/^# \?//; 4,8p' "$0" >&2; exit 2; }
bgci=$(cd "$1" && pwd) bkgm=$(cd "$2" && pwd)
tavli=$(realpath "${3:-target/release/tavli}") games=${4:-200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# bgci looks for its library beside itself.
ln -s "$bgci" "$scratch/bgci"
ln -s "$bkgm" "$scratch/bkgm"
cargo build --release --locked --manifest-path "$scratch/bgci/Cargo.toml" --target-dir "${TMPDIR:-/tmp}/bgci-target"
program=${TMPDIR:-/tmp}/bgci-target/release/bgci

cd "$scratch"
export XDG_CONFIG_HOME=$scratch/config
mkdir -p config/bgci
printf '[engines.tavli]\ncommand = ["%s", "ubgi", "--player", "fast", "--threads", "1"]\n' "$tavli" > config/bgci/config.toml
"$program" check tavli | tee check
grep -q '^status: PASS' check
for opponent in pubeval random; do
    "$program" duel --engine-a tavli --engine-b "$opponent" --games "$games" --swap-sides | tee duel
done

# bgci's own client of GNU Backgammon's command line, with tavli in its place.
ln -s "$tavli" gnubg
BGCI_GNUBG_BIN=$scratch/gnubg "$program" duel --engine-a gnubg-cli --engine-b random --games $((games / 5)) --swap-sides
