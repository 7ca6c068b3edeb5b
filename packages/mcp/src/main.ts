#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createConnection } from './createConnection.ts'
import { createServer } from './createServer.ts'
import { freeWhenIdle } from './freeWhenIdle.ts'
import { KEY_NAME, USAGE, wayOf } from './way.ts'

const way = wayOf(process.argv.slice(2), process.env)
if (way === undefined) {
  console.error(USAGE)
  process.exit(2)
}
if (way === 'help') {
  console.log(USAGE)
  process.exit(0)
}
const connection = createConnection(process.env)
if (way === 'stdio') {
  const server = createServer(connection)
  server.server.onclose = () => connection.close()
  await server.connect(new StdioServerTransport())
  freeWhenIdle(process.stdin)
  // Its client ends by closing the pipe.
  process.stdin.once('end', () => void server.close())
} else {
  // Most clients start it beside themselves, and never serve.
  const { serveHttp } = await import('./http/serveHttp.ts')
  const { url, close } = await serveHttp({ ...way, createServer: () => createServer(connection) })
  const Authorization = `Bearer ${way.isKeyMade ? way.key : `\${${KEY_NAME}}`}`
  console.log(JSON.stringify({ mcpServers: { rackfair: { type: 'http', url, headers: { Authorization } } } }))
  const end = () => void close().then(() => connection.close())
  process.once('SIGINT', end).once('SIGTERM', end)
}
