import { connect, createServer, type Socket } from 'node:net'

/** Passes connections of `ADDRESS PORT` on to a port of this machine, each chunk `DELAY` milliseconds later, as a long line would. */
const [address = '', port = '', target = '', delay = ''] = process.argv.slice(2)

const pass = (from: Socket, to: Socket) => {
  from.on('data', (chunk: Buffer) => setTimeout(() => to.destroyed || to.write(chunk), Number(delay)))
  from.on('end', () => setTimeout(() => to.end(), Number(delay)))
  from.on('error', () => to.destroy())
}
createServer((client) => {
  // It takes a round trip until a connection is there.
  const registry = connect(Number(target), '127.0.0.1')
  client.pause()
  setTimeout(() => client.resume(), Number(delay) * 2)
  pass(client, registry)
  pass(registry, client)
}).listen(Number(port), address)
