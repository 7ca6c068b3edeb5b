import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'

const PIECE_BYTES = 512
const PAUSE_MS = 15

/**
 * The market over a slow connection: a page arrives in chunks, each early enough to be painted separately. Everything else passes
 * unchanged.
 */
export async function slowLine(market: string) {
  const server = createServer((request, response) => {
    const { 'accept-encoding': _, ...headers } = request.headers
    get(market + request.url, { headers }, async (answer): Promise<void> => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (!answer.headers['content-type']?.startsWith('text/html')) return void answer.pipe(response)
      const page = Buffer.concat(await answer.toArray())
      for (let at = 0; at < page.length && !response.destroyed; at += PIECE_BYTES) {
        response.write(page.subarray(at, at + PIECE_BYTES))
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
