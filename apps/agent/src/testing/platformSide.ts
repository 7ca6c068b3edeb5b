import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

type Side = 'agent' | 'visitor'
/** A passing message: `up` is towards the platform. */
export interface Passing {
  side: Side
  way: 'up' | 'down'
  data: Buffer
}

/**
 * A proxy in place of the platform: messages between agents, visitors and the platform pass through it, without WebSocket masking. It
 * records everything, and a test may change what is forwarded.
 */
export async function startPlatformSide(target: () => string) {
  const seen: Buffer[] = []
  const behaviour: { change: (passing: Passing) => readonly Buffer[] } = { change: ({ data }) => [data] }
  const http = createServer((request, response) => {
    const forwarded = httpRequest(
      new URL(request.url ?? '/', target()),
      { method: request.method ?? 'GET', headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (chunk: Buffer) => seen.push(chunk))
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    request.on('data', (chunk: Buffer) => seen.push(chunk))
    request.pipe(forwarded)
  })
  const server = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request: IncomingMessage, socket, head) => {
    server.handleUpgrade(request, socket, head, (near) => {
      const path = request.url ?? ''
      const side: Side = path.startsWith('/v1/relay') ? 'agent' : 'visitor'
      const far = new WebSocket(new URL(path, target().replace('http', 'ws')))
      const early: [RawData, boolean][] = []
      const pass = (to: WebSocket, way: 'up' | 'down', raw: RawData, isBinary: boolean) => {
        const data = raw as Buffer
        seen.push(data)
        for (const one of isBinary ? behaviour.change({ side, way, data }) : [data]) to.send(one, { binary: isBinary })
      }
      near.on('message', (data, isBinary) => {
        if (far.readyState === WebSocket.OPEN) pass(far, 'up', data, isBinary)
        else early.push([data, isBinary])
      })
      far.on('open', () => {
        for (const [data, isBinary] of early.splice(0)) pass(far, 'up', data, isBinary)
      })
      far.on('message', (data, isBinary) => pass(near, 'down', data, isBinary))
      const ends = (code: number, reason: Buffer) => ({
        code: code >= 4000 || code === 1000 ? code : 1000,
        reason: String(reason),
      })
      far.on('close', (code, reason) => near.close(ends(code, reason).code, ends(code, reason).reason))
      near.on('close', (code, reason) => far.close(ends(code, reason).code, ends(code, reason).reason))
      far.on('error', () => near.terminate())
      near.on('error', () => far.terminate())
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    behaviour,
    /** Whether a text passed, in the clear or in an encoding that hides nothing. */
    saw(text: string): boolean {
      const all = Buffer.concat(seen)
      const forms = [text, Buffer.from(text).toString('base64').slice(0, -4), Buffer.from(text).toString('hex')]
      return forms.some((form) => all.includes(form))
    },
    bytes: () => seen.reduce((sum, one) => sum + one.length, 0),
    close() {
      for (const client of server.clients) client.terminate()
      http.close()
    },
  }
}
