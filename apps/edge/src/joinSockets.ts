import type { Socket } from 'node:net'

/** Passes everything on between two connections, as it comes: bytes, the end of one direction, and a break. */
export function joinSockets(a: Socket, b: Socket, halfOpenMs: number): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    one.on('error', () => {})
    one.once('close', (hasFailed) => {
      if (hasFailed || !one.readableEnded || !one.writableFinished) breakOff(other)
    })
    // A connection that is open to one side only, and silent, would be kept forever.
    one.once('end', () => {
      for (const both of [one, other]) both.setTimeout(halfOpenMs, () => breakOff(both))
    })
  }
  a.pipe(b)
  b.pipe(a)
}

/**
 * Breaks a connection off, so that nobody takes it for finished. `resetAndDestroy` alone would wait until all is sent, if ever, and cannot
 * reset once the end of this direction is on its way.
 */
export function breakOff(socket: Socket): void {
  if (!socket.writableEnded) socket.resetAndDestroy()
  socket.destroy()
}
