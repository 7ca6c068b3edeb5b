#!/usr/bin/env bash
# anvil --state: every restart adds another first block to the file.
#
# What: anvil makes a block 0 when it starts, loads the blocks of the state file beside it, and writes both back when it ends. After N
# starts the file holds N different blocks with the number 0, each with a hash of its own (their times differ), and only one of them is
# the parent of block 1. Whatever identifies a chain by the hash of its first block, as an indexer that resumes does, depends on which of
# them the next start finds; the file also grows with restarts alone. Repair the file before a start: keep the block 0 that block 1 names.
# Version: @foundry-rs/anvil 1.7.1.
# Seen: blocks numbered 0 after 1, 2, 3, 4 starts: 1, 2, 3, 4; distinct times: 4.
#
# Exits with 0 if it is so, 1 if not, 77 where npm, its registry or curl is missing, or there is no binary for this platform.
set -u
for needed in npm curl; do command -v "$needed" >/dev/null || { echo "$needed is not installed"; exit 77; }; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund @foundry-rs/anvil@1.7.1 >/dev/null 2>&1 ||
  { echo "the package cannot be installed"; exit 77; }
native=$(ls "$folder"/node_modules/@foundry-rs/anvil-*/bin/anvil 2>/dev/null | head -1)
[ -n "$native" ] || { echo "no anvil for this platform"; exit 77; }
"$native" --version | head -1
export HOME=$folder
for start in 1 2 3 4; do
  : > log
  "$native" --port 0 --state state.json > log 2>&1 & chain=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/^Listening on 127.0.0.1:\([0-9]*\)$/\1/p' log)
    [ -n "$port" ] && break
    sleep 0.1
  done
  mined=$(curl -s -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}' "http://127.0.0.1:$port")
  # A block 0 has the second of its start as its time.
  sleep 1.1
  kill "$chain"; wait "$chain" 2>/dev/null
  [[ $mined == *result* ]] || { cat log; exit 1; }
  node -e '
    const first = require("./state.json").blocks.map((block) => block.header).filter((header) => Number(header.number) === 0)
    const times = new Set(first.map((header) => Number(header.timestamp)))
    console.log(`starts: ${process.argv[1]}, blocks numbered 0: ${first.length}, distinct times: ${times.size}`)
    process.exit(first.length === Number(process.argv[1]) && times.size === first.length ? 0 : 1)
  ' "$start" || exit 1
done
