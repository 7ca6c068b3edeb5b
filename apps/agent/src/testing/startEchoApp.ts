import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** An application behind the gateway: echoes the request, counts PUTs, sets forbidden cookies, echoes over WebSocket. */
export async function startEchoApp() {
  /** Sent with every response as well. */
  let headers: Record<string, string> = {}
  let status = 200
  const server = createServer((request, response) => {
    response.setHeaders(new Map(Object.entries(headers)))
    if (request.method === 'PUT') {
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      request.on('end', () => response.end(`received ${size}`))
      return
    }
    if (request.url === '/set-cookies')
      response.setHeader('set-cookie', ['app=1', 'rackfair_visit=9.x', 'rackfair_owner_5=x', '__Host-rackfair_owner_5=x; Secure'])
    response.statusCode = status
    const { cookie, authorization } = request.headers
    response.end(JSON.stringify({ url: request.url, cookie, authorization }))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    set headers(next: Record<string, string>) {
      headers = next
    },
    /** Of each response. */
    set status(next: number) {
      status = next
    },
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}
