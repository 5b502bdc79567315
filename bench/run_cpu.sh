#!/usr/bin/env bash
# The CPU figures of docs/performance.md: one JSON object a line on standard output. Needs a quiet machine.
#   bench/run_cpu.sh [path of ingot] > bench/results/NAME.jsonl
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ingot=${1:-build/release/bin/ingot}

"$ingot" bench bandwidth --threads 1 --rounds 3 --json
"$ingot" bench bandwidth --threads 2 --rounds 3 --json
for dtype in bf16 f16 f8e4m3 q8_0; do
  for threads in 1 2; do
    "$ingot" bench decode --config bench/configs/moe-1.4b.json --random-weights --dtype "$dtype" --threads "$threads" --rounds 5 --tokens 32 --json
  done
done
for dtype in bf16 q8_0; do
  "$ingot" bench decode --config bench/configs/dense-0.7b.json --random-weights --dtype "$dtype" --threads 2 --rounds 5 --tokens 32 --json
done
for dtype in bf16 f8e4m3 q8_0; do
  "$ingot" bench prefill --config bench/configs/moe-1.4b.json --random-weights --dtype "$dtype" --threads 2 --prompt 256 --rounds 5 --json
done
