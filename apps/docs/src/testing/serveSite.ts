import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves a built site below /docs with the strictest policy: nothing inline, nothing from elsewhere. */
export async function serveSite(dir: string) {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/docs/, '').replace(/\/$/, '/index.html')
    try {
      const body = readFileSync(join(dir, path))
      const headers = { 'content-type': TYPES[extname(path)] ?? 'text/plain', 'content-security-policy': "default-src 'self'" }
      response.writeHead(200, headers).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/docs/`, stop: () => new Promise((resolve) => server.close(resolve)) }
}
