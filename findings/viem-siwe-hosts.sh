#!/usr/bin/env bash
# viem: messages to sign in (ERC-4361) can be made only for some of the hosts that the standard allows.
#
# What: the domain of ERC-4361 is an RFC 3986 authority. `createSiweMessage` throws SiweInvalidMessageFieldError for a host of one label (as
# on every local network), for a top-level domain in its ASCII form (every Chinese one: xn--fiqs8s ends in a digit and has hyphens), and
# for an IPv6 address, all of which a browser shows as `location.host`. `parseSiweMessage` finds no domain in a message for an IPv6 address.
# The library of the standard's authors, siwe, takes them all. A site reached by such a name signs nobody in; localhost, where it is
# developed, works.
# Version: viem 2.57.1, siwe 3.0.0.
# Seen: "gpubox:13000 viem refuses, siwe takes"; the same for market.xn--fiqs8s and [::1]:13000; gpu.example and localhost: both take.
#
# Exits with 0 if it is so, 1 if not, 77 where npm cannot install.
set -u
command -v npm >/dev/null && command -v node >/dev/null || { echo "npm or node is not installed"; exit 77; }
folder=$(mktemp -d /tmp/vsXXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
echo '{"private":true,"type":"module"}' > package.json
npm install --no-audit --no-fund --silent viem@2.57.1 siwe@3.0.0 ethers@6.15.0 >/dev/null 2>&1 || { echo "npm cannot install"; exit 77; }
cat > try.js <<'JS'
import { SiweMessage } from 'siwe'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

const facts = { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', chainId: 1, nonce: 'abcdefgh12345678', version: '1' }
const takes = (make) => {
  try {
    return make()
  } catch {
    return undefined
  }
}
const seen = ['gpubox:13000', 'market.xn--fiqs8s', '[::1]:13000', 'gpu.example', 'localhost:3000'].map((domain) => {
  const uri = `http://${domain}`
  const byViem = takes(() => createSiweMessage({ ...facts, domain, uri }))
  const bySiwe = takes(() => new SiweMessage({ ...facts, domain, uri, issuedAt: new Date().toISOString() }).prepareMessage())
  const read = bySiwe && parseSiweMessage(bySiwe).domain === domain
  console.log(`${domain} viem ${byViem ? 'takes' : 'refuses'}, siwe ${bySiwe ? 'takes' : 'refuses'}, viem ${read ? 'reads' : 'does not read'} what siwe made`)
  return `${Boolean(byViem)} ${Boolean(bySiwe)} ${Boolean(read)}`
})
const known = ['false true true', 'false true true', 'false true false', 'true true true', 'true true true']
process.exit(seen.join() === known.join() ? 0 : 1)
JS
node try.js
