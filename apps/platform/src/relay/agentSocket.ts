import { type AgentMessage, agentMessage, type PlatformMessage } from '@rackfair/protocol/relay'
import type { WebSocket } from 'ws'

/** How long another agent's connection with the same key has to answer each of two times before it is replaced. */
const PRESENT_MS = 1_500

/** Sends a message to an agent; does nothing if it has disconnected. */
export function post(socket: WebSocket, message: PlatformMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

/** Parses a message of an agent, with U+FFFD for NUL, which PostgreSQL refuses; `undefined` if it is none of this protocol. */
export function readMessage(data: Buffer): AgentMessage | undefined {
  const withoutNul = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value)
  try {
    return agentMessage.parse(JSON.parse(data.toString(), withoutNul))
  } catch {
    return undefined
  }
}

/** Whether the other end answers in time. It is asked twice: a process that stalls itself finds its time over before it reads the answer. */
export async function isPresent(socket: WebSocket): Promise<boolean> {
  return (await answers(socket)) || answers(socket)
}

function answers(socket: WebSocket): Promise<boolean> {
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
