import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { connectInside } from './connectInside.ts'

const LONG = { timeout: 60_000, interval: 200 }
const reason = process.getuid?.() === 0 ? undefined : 'not root'

it.skipIf(reason)(`leaves no process behind when an application never reads its input (${reason ?? 'here'})`, async () => {
  const accepted: Socket[] = []
  const server = createServer((socket) => accepted.push(socket.on('error', () => {}).pause()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const stream = await connectInside(process.pid, port)
  // More than all buffers on the path hold: the forwarding process blocks in a write that never ends.
  stream.write(Buffer.alloc(32 * 2 ** 20))
  let before = -1
  await expect
    .poll(() => {
      const written = before
      before = unread(port)
      return before > 0 && before === written
    }, LONG)
    .toBe(true)
  expect(passing(port)).toBeGreaterThan(0)
  stream.destroy()
  await expect.poll(() => passing(port), LONG).toBe(0)
})

/** Number of programs that forward bytes to this port. */
const passing = (port: number): number =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words[0] === 'perl' && words.includes(String(port))
    } catch {
      return false
    }
  }).length

/** Unread bytes queued at this port. */
const unread = (port: number): number => {
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, at]) => at === local)
    .reduce((sum, [, , , , queues]) => sum + Number.parseInt(queues?.split(':')[1] ?? '0', 16), 0)
}
