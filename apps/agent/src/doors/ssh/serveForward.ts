import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ServerChannel } from 'ssh2'
import type { SshConnection } from './createConnection.ts'

/** `ssh -L` leads to the application's own loopback, and nowhere else: its network is reached from inside by what runs there. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']

export async function serveForward(
  { accept, reject, host, port }: { accept: () => ServerChannel; reject: () => void; host: string; port: number },
  connect: (port: number) => Promise<Duplex>,
  onEnd: SshConnection['onEnd'],
): Promise<void> {
  if (!OWN_HOSTS.includes(host) || port < 1 || port > 65_535) return reject()
  const inside = await connect(port).catch(() => undefined)
  if (!inside) return reject()
  const over = Promise.withResolvers<void>()
  const forget = onEnd(() => {
    inside.destroy()
    over.resolve()
  })
  if (inside.destroyed) return
  const channel = accept()
  channel.on('error', () => {})
  channel.once('close', () => inside.destroy())
  // Each half ends by itself: who has said everything may still listen.
  const both = Promise.allSettled([pipeline(channel, inside, { end: true }), pipeline(inside, channel, { end: true })])
  await Promise.race([both, over.promise])
  forget()
  channel.close()
}
