import { decodeVisitorFrame, encodeVisitorFrame, VISITOR } from '@rackfair/protocol/visitorFrame'
import WebSocket from 'ws'
import type { VisitorPeer } from '../workspace/createWorkspaceServer.ts'

/** Limit for bytes buffered towards the platform. More would delay heartbeats and replies. */
const MAX_BUFFERED_BYTES = 1024 * 1024

/** The binary messages on the agent's connection: traffic between workspace visitors and the agent. */
export function createVisitorConnection(socket: () => WebSocket | undefined) {
  /** Senders waiting for buffer space, in order. */
  const waiting: (() => void)[] = []
  let peer: VisitorPeer | undefined
  const release = () => {
    while (waiting.length > 0 && (socket()?.bufferedAmount ?? 0) < MAX_BUFFERED_BYTES) waiting.shift()?.()
  }
  const post = (type: number, visitor: number, body: Uint8Array) => {
    const current = socket()
    if (current?.readyState !== WebSocket.OPEN) return undefined
    current.send(encodeVisitorFrame({ type, visitor, body }), { binary: true }, release)
    return current
  }

  return {
    /** Resolves when the next message may follow. @throws Error while there is no connection. */
    async send(visitor: number, bytes: Uint8Array): Promise<void> {
      const current = post(VISITOR.data, visitor, bytes)
      if (!current) throw new Error('the agent is not connected to the platform')
      if (current.bufferedAmount < MAX_BUFFERED_BYTES) return
      await new Promise<void>((resolve) => waiting.push(resolve))
    },
    close: (visitor: number, code: string) => void post(VISITOR.close, visitor, Buffer.from(code)),
    /** Handles a binary message from the platform. */
    receive(data: Uint8Array): void {
      const frame = decodeVisitorFrame(data)
      if (frame?.type === VISITOR.open) peer?.open(frame.visitor, Buffer.from(frame.body).toString().slice(0, 64))
      else if (frame?.type === VISITOR.data) peer?.receive(frame.visitor, frame.body)
      else if (frame?.type === VISITOR.close) peer?.closed(frame.visitor)
    },
    /** Hands all visitors to `one`; until then they reach nobody. */
    serve(one: VisitorPeer): void {
      peer = one
    },
    /** Wakes all waiting senders when the connection has ended, and tells the peer. */
    release(): void {
      for (const resolve of waiting.splice(0)) resolve()
      peer?.disconnected()
    },
  }
}
