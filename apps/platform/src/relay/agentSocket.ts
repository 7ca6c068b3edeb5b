import { type AgentMessage, agentMessage, type PlatformMessage } from '@rackfair/core/wire'
import type { WebSocket } from 'ws'

/** How long the connection of another agent with the same key has to answer before it makes room. */
const PRESENT_MS = 3_000

/** Says something to an agent; to one that has left, nothing. */
export function post(socket: WebSocket, message: PlatformMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

/** What an agent said; `undefined` for what is no message of this protocol. */
export function readMessage(data: Buffer): AgentMessage | undefined {
  try {
    return agentMessage.parse(JSON.parse(data.toString()))
  } catch {
    return undefined
  }
}

/** Whether the other end answers in time. */
export function isPresent(socket: WebSocket): Promise<boolean> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve(false)
  return new Promise((resolve) => {
    const done = (present: boolean) => {
      clearTimeout(timer)
      socket.off('pong', onPong).off('close', onClose)
      resolve(present)
    }
    const onPong = () => done(true)
    const onClose = () => done(false)
    const timer = setTimeout(() => done(false), PRESENT_MS)
    socket.on('pong', onPong).on('close', onClose).ping()
  })
}
