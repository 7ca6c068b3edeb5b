import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { createResizer } from '../../runtime/latestSize.ts'
import type { Runtime, TerminalStream } from '../../runtime/Runtime.ts'
import { endWebSocket, refuseUpgrade } from './lastWords.ts'

const side = z.coerce.number().int().min(2).max(500)
const size = z.object({ columns: side, rows: side })
const MAX_MESSAGE_BYTES = 256 * 1024
const MAX_BUFFER_BYTES = 1024 * 1024
/** Terminals of one order at a time. */
const MAX_PER_ORDER = 8

/** Browser terminals: a WebSocket in front of a command in the container. The caller has already authorized the visitor. */
export function createTerminal(runtime: Runtime, options: { idleMs: number; log: Log }) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  const open = new Map<bigint, number>()

  const serve = async (socket: WebSocket, orderId: bigint, command: readonly string[], first: z.infer<typeof size>) => {
    let terminal: TerminalStream
    // Input that arrives before the shell is up waits for it.
    socket.pause()
    try {
      terminal = await runtime.terminal(orderId, command, first)
    } catch (error) {
      options.log.warn('terminal failed', { orderId: String(orderId), reason: reasonOf(error) })
      endWebSocket(socket, 1011, 'The terminal could not be opened')
      return
    }
    const { stream } = terminal
    if (socket.readyState !== WebSocket.OPEN) {
      stream.destroy()
      return
    }
    const resize = createResizer(terminal)
    const endIdle = () => {
      stream.destroy()
      endWebSocket(socket, 4408, 'idle')
    }
    let idle = setTimeout(endIdle, options.idleMs)
    stream.on('data', (chunk: Buffer) => {
      socket.send(chunk, { binary: true })
      if (socket.bufferedAmount < MAX_BUFFER_BYTES) return
      stream.pause()
      const drained = setInterval(() => {
        if (socket.bufferedAmount > MAX_BUFFER_BYTES / 2 && socket.readyState === WebSocket.OPEN) return
        clearInterval(drained)
        stream.resume()
      }, 20)
    })
    stream.on('end', () => socket.close(1000, 'The shell has ended'))
    stream.on('error', () => socket.close(1011, 'The shell has ended'))
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        clearTimeout(idle)
        idle = setTimeout(endIdle, options.idleMs)
        // Backpressure: a shell that does not read must block its visitor, not grow this process.
        if (!stream.write(data as Buffer) && !socket.isPaused) {
          socket.pause()
          stream.once('drain', () => socket.resume())
        }
        return
      }
      const parsed = size.safeParse(parseJson(String(data)))
      if (parsed.success) void resize(parsed.data.columns, parsed.data.rows)
    })
    socket.on('close', () => {
      clearTimeout(idle)
      stream.end()
      stream.destroy()
    })
    socket.resume()
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, orderId: bigint, command: readonly string[]): void {
      const count = open.get(orderId) ?? 0
      if (count >= MAX_PER_ORDER) {
        refuseUpgrade(socket, '429 Too Many Requests')
        return
      }
      const query = new URL(request.url ?? '/', 'http://gateway').searchParams
      const asked = size.safeParse({ columns: query.get('columns'), rows: query.get('rows') })
      server.handleUpgrade(request, socket, head, (webSocket) => {
        // A visitor who breaks the protocol is cut off by the library; without a listener the process would end.
        webSocket.on('error', () => {})
        open.set(orderId, (open.get(orderId) ?? 0) + 1)
        webSocket.once('close', () => {
          const left = (open.get(orderId) ?? 1) - 1
          if (left > 0) open.set(orderId, left)
          else open.delete(orderId)
        })
        serve(webSocket, orderId, command, asked.success ? asked.data : { columns: 80, rows: 24 }).catch(() =>
          webSocket.terminate(),
        )
      })
    },
    close() {
      for (const client of server.clients) endWebSocket(client, 1001, 'The gateway is stopping')
    },
  }
}
export type TerminalServer = ReturnType<typeof createTerminal>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
