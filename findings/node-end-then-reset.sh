#!/usr/bin/env bash
# node:net: a socket that is ended and then reset within one turn never emits "close".
#
# What: socket.end() followed by socket.resetAndDestroy() in the same turn of the event loop leaves the socket "destroyed" without a "close"
# event, so whoever frees a place, a timer or a counter on "close" never does; and the other side reads an ordinary end, not a reset. With
# destroy() in place of resetAndDestroy(), or with the reset one turn later, "close" comes. To cut a connection whatever was called before,
# use destroy(), or count the place as free where you cut.
# Version: node 24.21.0 from npm.
# Seen: reset: close, peer ECONNRESET. end, reset: no close, peer reads the end. end, destroy: close. end, next turn reset: close.
#
# Exits with 0 if it is so, 1 if not, 77 where npm or its registry is missing, or there is no binary for this platform.
set -u
command -v npm >/dev/null || { echo "npm is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 >/dev/null 2>&1 || { echo "the package cannot be installed"; exit 77; }
node=$folder/node_modules/node/bin/node
[ -x "$node" ] || { echo "no binary for this platform"; exit 77; }
cat > try.mjs <<'JS'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout } from 'node:timers/promises'

async function seen(cut) {
  let close = 'no close'
  let peer = 'nothing'
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => { close = 'close' })
    socket.once('data', () => cut(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = net.connect(server.address().port, '127.0.0.1')
  client.on('error', ({ code }) => { peer = code }).on('end', () => { peer = 'the end' }).resume()
  client.write('x')
  while (peer === 'nothing') await setTimeout(20)
  await setTimeout(500)
  server.close()
  client.destroy()
  return `${close}, peer ${peer}`
}

const told = [
  ['reset', await seen((socket) => socket.resetAndDestroy())],
  ['end, reset', await seen((socket) => void (socket.end(), socket.resetAndDestroy()))],
  ['end, destroy', await seen((socket) => void (socket.end(), socket.destroy()))],
  ['end, next turn reset', await seen((socket) => void (socket.end(), setImmediate(() => socket.resetAndDestroy())))],
]
console.log(`node ${process.versions.node}`)
for (const [how, what] of told) console.log(`${how}: ${what}`)
const closes = told.map(([, what]) => what.startsWith('close'))
process.exit(String(closes) === 'true,false,true,true' && told[0][1].endsWith('ECONNRESET') && told[1][1].endsWith('the end') ? 0 : 1)
JS
"$node" try.mjs
