#!/usr/bin/env bash
# forge from npm: a run with a failing test exits with 0.
#
# What: the package @foundry-rs/forge puts a Node script on the PATH that starts the native binary of the platform's own package. The
# binary exits with 1 when a test fails; the script in front of it has exited with 0 by then, with the failure printed in between. `npx
# forge test && deploy` therefore deploys. A build script has to call the binary of @foundry-rs/forge-<platform> itself, or to count what
# `--json` prints.
# Version: @foundry-rs/forge 1.7.1 with solc 0.8.37 from npm, Node 24.
# Seen: "[FAIL: no] test_no()" both times; exit 0 by node_modules/.bin/forge, exit 1 by the binary.
#
# Exits with 0 if it is so, 1 if not, 77 where npm or its registry is missing, or there is no binary for this platform.
set -u
command -v npm >/dev/null || { echo "npm is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund @foundry-rs/forge@1.7.1 solc@0.8.37 >/dev/null 2>&1 ||
  { echo "the packages cannot be installed"; exit 77; }
native=$(ls node_modules/@foundry-rs/forge-*/bin/forge 2>/dev/null | head -1)
[ -n "$native" ] || { echo "no forge for this platform"; exit 77; }
mkdir -p bin test
cat > bin/solc <<'SOLC'
#!/usr/bin/env node
const solc = require(`${__dirname}/../node_modules/solc`)
if (process.argv.includes('--version')) console.log(`Version: ${solc.version()}`)
else console.log(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
SOLC
chmod +x bin/solc
printf '[profile.default]\nsolc = "bin/solc"\noffline = true\n' > foundry.toml
cat > test/No.t.sol <<'SOL'
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract No { function test_no() external pure { require(false, "no"); } }
SOL
shim=$(node_modules/.bin/forge test 2>&1); by_shim=$?
direct=$("$native" test 2>&1); by_native=$?
"$native" --version | head -1
printf 'by npm: exit %s, %s\nby the binary: exit %s, %s\n' \
  "$by_shim" "$(grep -m1 FAIL: <<<"$shim")" "$by_native" "$(grep -m1 FAIL: <<<"$direct")"
[[ $shim == *'[FAIL: no] test_no()'* ]] && [ "$by_shim" = 0 ] && [ "$by_native" = 1 ]
