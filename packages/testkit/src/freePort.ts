import { createServer, type Server } from 'node:net'

/** A port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

/** As many different ones: each is held until all are known, since the system may give one that was let go again. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold))
  const ports = held.map((server) => {
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('no port')
    return address.port
  })
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function hold(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
