#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createConnection } from './createConnection.ts'
import { createServer } from './createServer.ts'

const connection = createConnection(process.env)
const server = createServer(connection)
server.server.onclose = () => connection.close()
await server.connect(new StdioServerTransport())
// Its client ends by closing the pipe.
process.stdin.once('end', () => void server.close())
