import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ServerChannel } from 'ssh2'

/** `ssh -L` leads to the application's own loopback, and nowhere else: its network is reached from inside by what runs there. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']

export async function serveForward(
  { accept, reject, host, port }: { accept: () => ServerChannel; reject: () => void; host: string; port: number },
  connect: (port: number) => Promise<Duplex>,
): Promise<void> {
  if (!OWN_HOSTS.includes(host) || port < 1 || port > 65_535) return reject()
  const inside = await connect(port).catch(() => undefined)
  if (!inside) return reject()
  const channel = accept()
  channel.on('error', () => {})
  channel.once('close', () => inside.destroy())
  // Each half ends by itself: who has said everything may still listen.
  await Promise.allSettled([pipeline(channel, inside, { end: true }), pipeline(inside, channel, { end: true })])
  channel.close()
}
