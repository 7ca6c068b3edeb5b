import { createServer, type Socket } from 'node:net'
import type { Log } from '../../foundation/log.ts'
import { BACKLOG } from '../../foundation/newcomers.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'

/** The port of the SSH server. */
export function createSshDoor({ take, log }: { take: (socket: Socket) => void; log: Log }) {
  const listener = createServer({ noDelay: true, keepAlive: true }, take)

  return {
    listen: (port: number, host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        listener.once('error', reject)
        listener.listen(port, host, BACKLOG, () => {
          listener.off('error', reject).on('error', (error) => log.warn('the SSH port failed', { reason: reasonOf(error) }))
          resolve((listener.address() as { port: number }).port)
        })
      }),
    close: () => new Promise<void>((resolve) => listener.close(() => resolve())),
  }
}
