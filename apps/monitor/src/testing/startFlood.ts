import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

/** Requests that are sent at once, before the pace of a flood. */
export const BURST = 60
/** Requests that may be on their way at once. */
const AT_ONCE = 64

/** Sends `BURST` requests at once, and then a pace of them until it is stopped. Counts the answers by status. */
export function startFlood(options: {
  port: number
  tls: boolean
  localAddress: string
  perSecond: number
  bodies: readonly (readonly [path: string, body: string])[]
}) {
  const { port, tls, localAddress, perSecond, bodies } = options
  const statuses = new Map<number, number>()
  const waiting = new Set<() => void>()
  let [sent, answered, open] = [0, 0, 0]
  const settled = () => {
    answered += 1
    open -= 1
    for (const check of waiting) check()
  }
  const send = () => {
    if (open >= AT_ONCE) return
    const [path, body] = bodies[sent % bodies.length] as readonly [string, string]
    sent += 1
    open += 1
    const target: RequestOptions & { rejectUnauthorized: boolean } = {
      ...{ host: '127.0.0.1', port, localAddress, method: 'POST', path: `/.rackfair/${path}`, rejectUnauthorized: false },
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    }
    const request = (tls ? requestTls : requestPlain)(target, (response) => {
      statuses.set(response.statusCode ?? 0, (statuses.get(response.statusCode ?? 0) ?? 0) + 1)
      response.on('end', settled).resume()
    })
    request.on('error', settled)
    request.end(body)
  }
  const ticking = setInterval(send, 1000 / perSecond)
  for (let count = 0; count < BURST; count += 1) setImmediate(send)
  return {
    statuses,
    /** Resolves when so many requests were answered. */
    reached: (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (answered < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async stop() {
      clearInterval(ticking)
      while (open > 0) await sleep(5)
    },
  }
}
