import { Agent, type RequestOptions, request } from 'node:https'
import type { KubernetesObject } from '@kubernetes/client-node'
import { AppError } from '@rackfair/rules/errors/AppError'
import { WebSocket } from 'ws'

const ANSWER_MS = 30_000
const MAX_ANSWER_BYTES = 16 * 2 ** 20
/** A cluster sends some tens of kilobytes at once. */
const MAX_FRAME_BYTES = 2 ** 20
/** The agent's part of each object; what others add to it stays. */
const FIELD_MANAGER = 'rackfair-agent'
/** The first clusters that have every field which orders are made of. */
const OLDEST_MINOR = 20

export type ClusterClient = Awaited<ReturnType<typeof createClusterClient>>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The API server of one cluster. Its client library is loaded with the first cluster: a provider without one does not pay for it. */
export async function createClusterClient({ kubeconfig }: { kubeconfig?: string | undefined }) {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  if (kubeconfig === undefined) config.loadFromCluster()
  else config.loadFromFile(kubeconfig)
  const { server, proxyUrl } = config.getCurrentCluster() ?? {}
  if (!server) throw new AppError('bad_request', `${kubeconfig ?? 'the pod of the agent'} names no cluster`)
  const urlOf = (path: string) => new URL(path, server.endsWith('/') ? server : `${server}/`)
  // The library's own agent performs a new TLS handshake for every request.
  const connections = new Agent({ keepAlive: true })
  const optionsOf = async () => {
    const options: RequestOptions = {}
    await config.applyToHTTPSOptions(options)
    return proxyUrl ? options : { ...options, agent: connections }
  }

  /** @throws AppError `engine_unavailable` if nobody answers, the cluster refuses, or it asks to retry later. */
  async function call<Answer>(
    method: Method,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Answer | undefined> {
    const { status, text } = await send(method, urlOf(path), await optionsOf(), body, type)
    if (status === 404) return undefined
    if (status >= 200 && status < 300) return readObject(text) as Answer
    throw refusal(status, text)
  }

  return {
    /** The address of the API server. */
    server,
    get: <Answer>(path: string) => call<Answer>('GET', path),
    /** As text. */
    async read(path: string): Promise<string> {
      const { status, text } = await send('GET', urlOf(path), await optionsOf())
      if (status < 200 || status >= 300) throw refusal(status, text)
      return text
    },
    /** Server-side apply: sets our fields and leaves those that others added. */
    async apply(path: string, object: KubernetesObject): Promise<void> {
      const query = `?fieldManager=${FIELD_MANAGER}&force=true`
      const done = await call('PATCH', `${path}/${object.metadata?.name}${query}`, object, 'application/apply-patch+yaml')
      if (done === undefined) throw unavailable(`it has no ${path}`)
    },
    /** Changes fields of an object that is there. */
    change: (path: string, fields: object) => call<unknown>('PATCH', path, fields, 'application/strategic-merge-patch+json'),
    create: <Answer>(path: string, object: KubernetesObject) => call<Answer>('POST', path, object),
    /** Removes an object; a no-op if it does not exist. */
    async remove(path: string, graceSeconds?: number): Promise<void> {
      await call('DELETE', path, graceSeconds === undefined ? undefined : { gracePeriodSeconds: graceSeconds })
    },
    /** A connection of many channels, as `exec` and `portforward` have it; paused until somebody listens. */
    async open(path: string, protocols: readonly string[]): Promise<WebSocket> {
      const url = urlOf(path)
      url.protocol = 'wss:'
      const socket = new WebSocket(url, [...protocols], {
        ...(await optionsOf()),
        handshakeTimeout: ANSWER_MS,
        maxPayload: MAX_FRAME_BYTES,
      })
      await new Promise<void>((resolve, reject) => {
        socket.once('open', () => {
          socket.pause()
          resolve()
        })
        socket.on('error', (cause) => reject(unavailable(cause.message, cause)))
      })
      return socket
    },
    /** What a long answer consists of, as it comes. */
    async follow(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
      const options = await optionsOf()
      return new Promise((resolve, reject) => {
        const asked = request(urlOf(path), { ...options, signal }, (answer) => {
          if (answer.statusCode === 200) return resolve(answer)
          answer.resume()
          reject(refusal(answer.statusCode ?? 0, ''))
        })
        asked.on('error', (cause) => reject(unavailable(cause.message, cause)))
        asked.end()
      })
    },
    /** @throws AppError `engine_unavailable` for a cluster that is unreachable or too old. */
    async check(): Promise<void> {
      refuseOld(await call<ClusterVersion>('GET', '/version'))
    },
  }
}

/** Managed clusters write a plus behind their minor number. */
export interface ClusterVersion {
  major: string
  minor: string
  gitVersion: string
}

/** @throws AppError `engine_unavailable` for a cluster that lacks a field which orders are made of. */
export function refuseOld(version: ClusterVersion | undefined): void {
  const minor = Number.parseInt(version?.minor ?? '', 10)
  if (version?.major === '1' && minor >= OLDEST_MINOR) return
  throw new AppError(
    'engine_unavailable',
    `the cluster is ${version?.gitVersion.slice(0, 64) ?? 'of no known version'}; from v1.${OLDEST_MINOR} on orders can run. Nothing was changed in it`,
  )
}

function send(
  method: Method,
  url: URL,
  options: RequestOptions,
  body?: unknown,
  type?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    // Node sends no length with a DELETE by itself, and nobody reads a body without one.
    const ofBody = sent === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(sent) }
    const headers = { ...options.headers, ...ofBody }
    const asked = request(url, { ...options, method, headers, timeout: ANSWER_MS }, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_ANSWER_BYTES) asked.destroy(new Error(`more than ${MAX_ANSWER_BYTES} bytes`))
        else chunks.push(chunk)
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      answer.on('error', (cause) => reject(unavailable(cause.message, cause)))
    })
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`)))
    asked.on('error', (cause: NodeJS.ErrnoException) => {
      // The server has closed a connection that nobody used, and has not seen what was asked.
      if (asked.reusedSocket && cause.code === 'ECONNRESET') resolve(send(method, url, options, body, type))
      else reject(unavailable(cause.message, cause))
    })
    asked.end(sent)
  })
}

/** A proxy in front of the API server answers what it likes. */
function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw unavailable(`it answered no object: ${text.slice(0, 100)}`)
}

function refusal(status: number, text: string): AppError {
  let message = text
  try {
    message = String((JSON.parse(text) as { message?: unknown }).message ?? text)
  } catch {
    // Not in its own words then.
  }
  return unavailable(`${status} ${message.slice(0, 300)}`)
}

/** The cluster may be back any moment, or be given the right that it misses: nothing that runs is touched meanwhile. */
const unavailable = (why: string, cause?: unknown): AppError =>
  new AppError('engine_unavailable', "the cluster's API server does not do what it is asked", {
    ...{ cause: new Error(why, { cause }), retryable: true },
  })
