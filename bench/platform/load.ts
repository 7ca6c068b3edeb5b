import { connect } from 'node:net'
import { percentile } from './table.ts'

export interface Load {
  perSecond: number
  p50: number
  p99: number
  /** Number of answers. */
  answers: number
}

const HEAD_END = '\r\n\r\n'

/**
 * Sends requests over `connections` keep-alive connections for some seconds, one at a time on each. Every answer must be 200 and is read
 * completely. Plain sockets: the client shares the machine with the server, so it has to be cheap.
 */
export async function load(
  pathOf: (index: number) => string,
  url: string,
  options: { connections: number; seconds: number },
): Promise<Load> {
  const { hostname, port } = new URL(url)
  const times: number[] = []
  let index = 0
  const started = performance.now()
  const until = started + options.seconds * 1000
  const lane = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let asked = 0
      let head = ''
      let left = -1
      const ask = () => {
        index += 1
        asked = performance.now()
        head = ''
        left = -1
        socket.write(`GET ${pathOf(index)} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept-encoding: br\r\n\r\n`)
      }
      socket.once('error', reject)
      socket.on('connect', ask)
      socket.on('data', (chunk: Buffer) => {
        let body = chunk.length
        if (left < 0) {
          const before = head.length
          head += chunk.toString('latin1')
          const end = head.indexOf(HEAD_END)
          if (end < 0) return
          if (!head.startsWith('HTTP/1.1 200')) return void reject(new Error(head.split('\r\n')[0]))
          left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
          if (Number.isNaN(left)) return void reject(new Error('an answer without content-length'))
          body = before + chunk.length - end - HEAD_END.length
        }
        left -= body
        if (left > 0) return
        times.push(performance.now() - asked)
        if (performance.now() < until) return ask()
        socket.destroy()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: options.connections }, lane))
  const seconds = (performance.now() - started) / 1000
  return {
    perSecond: Math.round(times.length / seconds),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    answers: times.length,
  }
}
