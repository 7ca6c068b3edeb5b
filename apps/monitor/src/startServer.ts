import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PublishedHardware } from '@rackfair/hardware/wire'
import { isLoopback, limitConnections } from '@rackfair/http/limitConnections'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import { writeAttestations, writeReports } from '@rackfair/sdk/uptime'
import type { Metrics } from './createMetrics.ts'
import type { HardwareResultsFile } from './hardware/openResults.ts'
import type { Observations } from './openObservations.ts'

/** Cuts what does not ask: nobody keeps a connection without a request for longer. */
const TIMES = { requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 2_000 }
/** Periods whose reports are requested repeatedly: those that can still be submitted, and one more. */
const CACHED_PERIODS = 6

/**
 * Publishes the reports of periods whose commitments are closed, never earlier: another monitor could copy instead of observing. `GET
 * /v1/reports/{period}`, `GET /v1/attestations/{period}/{market}/{orderId}`, `GET /v1/hardware/{after}`, `GET /healthz`, and for this
 * machine alone `GET /metrics`.
 */
export async function startServer(options: {
  host: string
  port: number
  monitor: LowerCaseAddress
  observations: Observations
  hardware: HardwareResultsFile
  calendar: Calendar
  metrics: Metrics
  now: () => number
}) {
  const { host, port, monitor, observations, hardware, calendar, metrics, now } = options
  // Committed reports no longer change, so they are cached and anonymous requests are cheap.
  const written = new Map<number, string>()
  const reportsOf = (period: number): string => {
    const known = written.get(period) ?? writeReports({ monitor, period, reports: observations.reports(period) })
    written.delete(period)
    written.set(period, known)
    for (const oldest of written.keys()) if (written.size > CACHED_PERIODS) written.delete(oldest)
    return known
  }
  const server = createServer(TIMES, (request, response) => {
    const answer = (status: number, body: string, contentType = 'application/json') => {
      response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff', connection: 'close' })
      response.end(body)
    }
    try {
      serve(request, answer)
    } catch {
      // Its tables cannot be read: this request ends, all others are served.
      answer(500, '{"message":"the reports cannot be read"}')
    }
  })
  const serve = (request: IncomingMessage, answer: (status: number, body: string, contentType?: string) => void) => {
    const { method, url = '' } = request
    if (method !== 'GET') return answer(405, '{"message":"GET only"}')
    if (url === '/healthz') return answer(200, '{"ok":true}')
    if (url === '/metrics' && isOfThisMachine(request))
      return void metrics.text().then(
        (text) => answer(200, text, metrics.contentType),
        () => answer(500, '{"message":"no metrics"}'),
      )
    const after = /^\/v1\/hardware\/(\d{1,15})$/.exec(url)?.[1]
    if (after !== undefined)
      return answer(200, JSON.stringify({ monitor, ...hardware.after(Number(after)) } satisfies PublishedHardware))
    const [, what, number, market = '', orderId] =
      /^\/v1\/(reports|attestations)\/(\d{1,9})(?:\/(0x[0-9a-f]{40})\/(\d{1,20}))?$/.exec(url) ?? []
    if (what === undefined || (what === 'attestations') !== (orderId !== undefined)) return answer(404, '{"message":"not found"}')
    const period = Number(number)
    if (now() < calendar.endOf(period) + calendar.windowSeconds)
      return answer(425, '{"message":"not before the commitments are over"}')
    if (orderId === undefined) return answer(200, reportsOf(period))
    answer(200, writeAttestations(observations.attested(period, { market: lowerCaseAddress(market), orderId: BigInt(orderId) })))
  }
  // Readers wait for ten seconds.
  limitConnections(server, { answerMs: 30_000 })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  server.on('error', () => {})
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Whether a program of this machine asks, and not somebody through its proxy. */
const isOfThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress) && ['x-forwarded-for', 'forwarded', 'via'].every((name) => headers[name] === undefined)
