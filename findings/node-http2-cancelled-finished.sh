#!/usr/bin/env bash
# node:http2: a response that its client cancelled counts as finished, though nobody ended it.
#
# What: when the client resets a stream (RST_STREAM, as browsers do when a tab is closed), the response of the compatibility API has
# writableFinished true and emits "finish" before "close", although end() was never called. Over HTTP/1.1 the same handler sees
# writableFinished false and "close" alone. So "if (!response.writableFinished) abort()", which is right over HTTP/1.1, never aborts over
# HTTP/2, and what produces the response goes on for nobody. writableEnded tells: it is false in both, until end() is called.
# Version: node 24.21.0 from npm.
# Seen: HTTP/1.1: close, writableFinished false, writableEnded false. HTTP/2: finish, close, writableFinished true, writableEnded false.
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
import http from 'node:http'
import http2 from 'node:http2'

async function seen(module, cancel) {
  const events = []
  const server = module.createServer()
  const left = new Promise((resolve) => {
    server.on('request', (request, response) => {
      response.on('finish', () => events.push('finish'))
      response.on('close', () => {
        const { writableFinished, writableEnded } = response
        resolve([...events, 'close', `writableFinished ${writableFinished}`, `writableEnded ${writableEnded}`].join(', '))
      })
      response.writeHead(200)
      response.write('the first of several parts')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await cancel(`http://127.0.0.1:${server.address().port}`)
  const told = await left
  server.close()
  return told
}

const older = await seen(http, async (origin) => {
  const asking = http.get(origin, { agent: false })
  asking.on('error', () => undefined)
  const [answer] = await once(asking, 'response')
  answer.on('error', () => undefined)
  asking.destroy()
})
const newer = await seen(http2, async (origin) => {
  const session = http2.connect(origin)
  const stream = session.request()
  await once(stream, 'response')
  stream.close(http2.constants.NGHTTP2_CANCEL)
  await once(stream, 'close')
  session.close()
})
console.log(`node ${process.versions.node}`)
console.log(`HTTP/1.1: ${older}`)
console.log(`HTTP/2: ${newer}`)
const asSeen =
  older === 'close, writableFinished false, writableEnded false' &&
  newer === 'finish, close, writableFinished true, writableEnded false'
process.exit(asSeen ? 0 : 1)
JS
"$node" try.mjs
