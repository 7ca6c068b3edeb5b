#!/usr/bin/env bash
# undici 8: a download over a long line is slow, however fast the line is, because HTTP/2 is the default and its windows are small.
#
# What: undici 8 speaks HTTP/2 wherever a TLS server offers it (undici 7 had to be asked to), and all requests to a server share one
# connection. It allows 256 KiB a stream and 512 KiB a connection in flight, so nothing can be faster than window / round trip: 100 ms
# allow some 3 MB/s. With `allowH2: false` the same program fetches the same bytes over HTTP/1.1, as fast as the line. A server on the same
# machine hides it.
# Version: undici 8.10.0, Node 24.
# Seen: through a relay that delays each chunk by 50 ms each way, 10 MB took 4,862 ms by default (2.1 MB/s) and 1,043 ms with
# `allowH2: false`, on a busy machine.
#
# Exits with 0 if the default is at least three times slower, 1 if not, 77 where a program is missing.
set -u
for program in node npm openssl; do command -v "$program" >/dev/null || { echo "$program is not installed"; exit 77; }; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
npm install --silent --no-audit --no-fund --prefix . undici@8.10.0 >/dev/null 2>&1 || { echo "the registry of npm cannot be reached"; exit 77; }
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem 2>/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { connect, createServer } from 'node:net'
import { Agent, request } from 'undici'
const bytes = Buffer.alloc(10_000_000)
const tls = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem'), allowHTTP1: true }
const server = createSecureServer(tls, (_, answer) => answer.end(bytes)).listen(0, '127.0.0.1')
await once(server, 'listening')
const pass = (from, to) => {
  from.on('data', (chunk) => setTimeout(() => to.destroyed || to.write(chunk), 50))
  from.on('end', () => setTimeout(() => to.end(), 50))
  from.on('error', () => to.destroy())
}
const relay = createServer((client) => {
  const other = connect(server.address().port, '127.0.0.1')
  pass(client, other)
  pass(other, client)
}).listen(0, '127.0.0.1')
await once(relay, 'listening')
const fetchAll = async (options) => {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, ...options })
  const at = performance.now()
  const { body } = await request(`https://127.0.0.1:${relay.address().port}/`, { dispatcher })
  let got = 0
  for await (const chunk of body) got += chunk.length
  await dispatcher.destroy()
  if (got !== bytes.length) throw new Error(`${got} bytes`)
  return Math.round(performance.now() - at)
}
const [usual, without] = [await fetchAll({}), await fetchAll({ allowH2: false })]
console.log(`10 MB, round trip 100 ms: ${usual} ms by default, ${without} ms with allowH2: false`)
process.exit(usual > 3 * without ? 0 : 1)
JS
node try.mjs
