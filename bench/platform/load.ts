import { Agent, request } from 'node:http'
import { percentile } from './table.ts'

export interface Load {
  perSecond: number
  p50: number
  p99: number
}

/** Asks from `connections` kept lines for some seconds. Every answer must be 200 or 304 and is read to its end. */
export async function load(
  pathOf: (index: number) => string,
  url: string,
  options: { connections: number; seconds: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  const times: number[] = []
  let index = 0
  const until = performance.now() + options.seconds * 1000
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const started = performance.now()
      index += 1
      const headers = { 'accept-encoding': 'br' }
      const call = request(url + pathOf(index), { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`))
        answer.on('end', () => {
          times.push(performance.now() - started)
          resolve()
        })
        answer.resume()
      })
      call.once('error', reject)
      call.end()
    })
  const started = performance.now()
  const lane = async () => {
    while (performance.now() < until) await one()
  }
  await Promise.all(Array.from({ length: options.connections }, lane))
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  return { perSecond: Math.round(times.length / seconds), p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
