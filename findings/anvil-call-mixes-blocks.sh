#!/usr/bin/env bash
# anvil: an eth_call at the newest block may see the state of the next one.
#
# What: while transactions are mined at once, as anvil does without a block time, some calls of `eth_call` with the block "latest" run with
# the time and the number of one block on the state that a later block left. A contract that stores block.timestamp then finds a stored
# time in the future, which no transaction ever can, and a difference from it panics (0x11) in the simulation. Take such a panic of a
# simulation on anvil for a reading to repeat, or compare the number of the block before and after.
# Version: @foundry-rs/anvil 1.7.1.
# Seen: of 3,061 calls, 9 found a time stored that was later than that of their block.
#
# Exits with 0 if it is so, 1 if it was not seen in a minute, 77 where npm, its registry or node is missing, or there is no binary for this platform.
set -u
for needed in npm node; do command -v "$needed" >/dev/null || { echo "$needed is not installed"; exit 77; }; done
folder=$(mktemp -d)
chain=
trap '[ -n "$chain" ] && kill "$chain" 2>/dev/null && wait "$chain" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 77
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund @foundry-rs/anvil@1.7.1 >/dev/null 2>&1 ||
  { echo "the package cannot be installed"; exit 77; }
native=$(ls "$folder"/node_modules/@foundry-rs/anvil-*/bin/anvil 2>/dev/null | head -1)
[ -n "$native" ] || { echo "no anvil for this platform"; exit 77; }
"$native" --version | head -1
export HOME=$folder
: > log
"$native" --port 0 > log 2>&1 & chain=$!
for _ in $(seq 300); do
  port=$(sed -n 's/^Listening on 127.0.0.1:\([0-9]*\)$/\1/p' log)
  [ -n "$port" ] && break
  sleep 0.1
done
cat > calls.mjs <<'EOF'
const ask = async (method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(process.argv[2], { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = await answer.json()
  if (error) throw new Error(error.message)
  return result
}
// With data it stores block.timestamp in slot 0; without, it returns block.timestamp and slot 0.
const code = '36601057425f525f5460205260405ff35b425f5500'
const size = (code.length / 2).toString(16)
const accounts = await ask('eth_accounts', [])
const created = await ask('eth_sendTransaction', [{ from: accounts[0], data: `0x60${size}600a5f3960${size}5ff3${code}` }])
let receipt = null
while (receipt === null) receipt = await ask('eth_getTransactionReceipt', [created])
const to = receipt.contractAddress
let calls = 0
let impossible = 0
const until = Date.now() + 60_000
const isOver = () => Date.now() > until || impossible >= 3
const write = async (from) => {
  while (!isOver()) await ask('eth_sendTransaction', [{ from, to, data: '0x01', gas: '0x30000' }])
}
const read = async () => {
  while (!isOver()) {
    const answer = await ask('eth_call', [{ to }, 'latest'])
    calls += 1
    if (BigInt(answer.slice(0, 66)) < BigInt(`0x${answer.slice(66)}`)) impossible += 1
  }
}
await Promise.all([...accounts.slice(0, 4).map(write), ...Array.from({ length: 8 }, read)])
console.log(`of ${calls} calls, ${impossible} found a time stored that was later than that of their block`)
process.exit(impossible > 0 ? 0 : 1)
EOF
node calls.mjs "http://127.0.0.1:$port"
