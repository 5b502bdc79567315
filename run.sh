#!/usr/bin/env bash
# Sets up, builds, fetches a small model and lets it answer: ./run.sh ["a prompt"]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

./bootstrap.sh
# A cache, where there is one, that serves every clone of this repository.
command -v ccache >/dev/null && export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake --preset release >/dev/null
cmake --build build/release --target ingot_program
model=$(scripts/fetch_smollm2.sh)
exec build/release/bin/ingot generate --model "$model" --prompt "${1:-Why is the sky blue? Answer in two sentences.}"
