import type { Server } from 'node:net'

/** Either side may end its direction first. A peer that vanished is noticed within minutes. */
export const SOCKET_OPTIONS = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const

/** Opens the port, and returns it: a free one for 0. @throws Error with a sentence if another program has it. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new Error(`port ${port} of ${host} ${error.code === 'EACCES' ? 'may not be opened' : 'is in use'}`, { cause: error })
          : error,
      )
    server.once('error', refuse)
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', refuse)
      // Without descriptors left, single connections fail, and the server goes on.
      server.on('error', () => {})
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
