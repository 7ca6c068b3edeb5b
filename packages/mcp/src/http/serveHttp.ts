import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { openHttp } from '@rackfair/http/openHttp'

export interface HttpOptions {
  /** Where it listens. Anything but loopback is for a proxy that speaks TLS: the key would be read on the way. */
  host: string
  /** 0 for any free one. */
  port: number
  /** What a client presents as `Authorization: Bearer`: whoever has it may spend what the purse's key may. */
  key: string
  /** Names by which clients and pages know it, beside loopback's and `host`. */
  names?: readonly string[] | undefined
  /** For each session one of its own. */
  createServer: () => McpServer
}

export interface HttpDoor {
  url: string
  close(): Promise<void>
}

/** A client that ends without a word leaves its session. */
const MAX_SESSIONS = 32
/** A file of 8 MiB, escaped as JSON. */
const MAX_BODY_BYTES = 2 ** 24
const BODY_TIMEOUT_MS = 60_000
const PATH = '/mcp'

interface Session {
  server: McpServer
  transport: StreamableHTTPServerTransport
  /** Answers and streams under way. */
  open: number
}

/**
 * Serves the Model Context Protocol over streamable HTTP to programs that have its key. Pages of other sites are refused by their origin, and
 * names that lead here without our knowledge by the host they asked for.
 *
 * @throws the system's error if it cannot listen, such as EADDRINUSE
 * @example const { url, close } = await serveHttp({ host: '127.0.0.1', port: 3130, key, createServer })
 */
export async function serveHttp({ host, port, key, names = [], createServer }: HttpOptions): Promise<HttpDoor> {
  const known = new Set([...LOOPBACK, host.includes(':') ? `[${host}]` : host, ...names].map((name) => name.toLowerCase()))
  // The one that was used last is the last one.
  const sessions = new Map<string, Session>()

  const open = async (): Promise<Session | undefined> => {
    if (sessions.size >= MAX_SESSIONS) {
      const unused = [...sessions.values()].find((session) => session.open === 0)
      if (unused === undefined) return undefined
      await unused.server.close()
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: (id) => void sessions.set(id, session),
    })
    const session: Session = { server: createServer(), transport, open: 0 }
    session.server.server.onclose = () => void sessions.delete(transport.sessionId ?? '')
    await session.server.connect(transport)
    return session
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, known, key)
    if (refusal !== undefined) return refuse(response, ...refusal)
    const id = request.headers['mcp-session-id']
    const session = id === undefined ? await open() : sessions.get(String(id))
    if (session === undefined)
      return id === undefined
        ? refuse(response, 503, `${MAX_SESSIONS} clients use it already. End one of them.`)
        : refuse(response, 404, 'There is no such session. Begin a new one.')
    if (typeof id === 'string') {
      sessions.delete(id)
      sessions.set(id, session)
    }
    session.open += 1
    response.once('close', () => {
      session.open -= 1
      // It was no beginning of a session.
      if (session.transport.sessionId === undefined) session.server.close().catch(() => undefined)
    })
    await session.transport.handleRequest(request, response)
  }

  const http = await openHttp(
    (request, response) => {
      answer(request, response).catch(() => {
        if (!response.headersSent) refuse(response, 500, 'It failed.')
        else response.destroy()
      })
    },
    { host, port, bodyMs: BODY_TIMEOUT_MS },
  )
  return {
    url: `${http.url}${PATH}`,
    close: () => http.close(() => Promise.all([...sessions.values()].map(({ server }) => server.close()))),
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

function refusalOf({ url, headers }: IncomingMessage, known: ReadonlySet<string>, key: string): [number, string] | undefined {
  if (url?.replace(/\?.*$/, '') !== PATH) return [404, `It is served at ${PATH}.`]
  if (!known.has(hostnameOf(`http://${headers.host ?? ''}`))) return [403, 'This host is not known here. Name it with --name.']
  if (headers.origin !== undefined && !known.has(hostnameOf(headers.origin)))
    return [403, 'Pages of this origin are not let in. Name its host with --name.']
  const [, given = ''] = /^bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (!timingSafeEqual(digest(given), digest(key))) return [401, 'The key is missing or wrong: Authorization: Bearer …']
  return undefined
}

/** As a browser writes it; empty if there is none. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** The rest of the request is not read. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: 'close',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}
