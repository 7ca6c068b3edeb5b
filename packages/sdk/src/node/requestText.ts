import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { readLimited } from '../uptime/readLimited.ts'
import { isInsideIp, publicLookup } from './publicLookup.ts'

export interface TextRequest {
  /** Nothing but public addresses is connected to. */
  isPublic: boolean
  maxBytes: number
  /** For the whole answer. */
  milliseconds: number
}

/**
 * The text at a URL. Redirects are not followed.
 * @throws Error unless the answer is 2xx, in time and within `maxBytes`, or if its host is not public.
 * @example await requestText('https://monitor.example/v1/reports/7', { isPublic: true, maxBytes: 1024, milliseconds: 10_000 })
 */
export async function requestText(url: string, { isPublic, maxBytes, milliseconds }: TextRequest): Promise<string> {
  const target = new URL(url)
  if (isPublic && isInsideIp(target)) throw new Error(`${target.host} is not on the internet`)
  const signal = AbortSignal.timeout(milliseconds)
  try {
    // Without an agent of its own, a request may get a connection that was made without the lookup.
    const answer = await open(target, { agent: false, signal, ...(isPublic ? { lookup: publicLookup } : {}) })
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return await readLimited(answer, maxBytes)
    answer.destroy()
    throw new Error(`${url} answers ${status}`)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

function open(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestTls : requestPlain)(url, options, resolve)
    request.on('error', reject)
    // Without a listener, an answer that switches protocols would end the request without a word.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error(`${url} answers 101`))
    })
    request.end()
  })
}
