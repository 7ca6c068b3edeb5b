import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Calendar } from '@rackfair/core'
import { writeReports } from '@rackfair/sdk/uptime'
import type { Address } from 'viem'
import type { Observations } from './openObservations.ts'

/**
 * Publishes the reports of periods whose commitments are over, never before: another monitor would copy instead of looking.
 * `GET /v1/reports/{period}`, `GET /healthz`.
 */
export async function startServer(options: {
  host: string
  port: number
  monitor: Address
  observations: Observations
  calendar: Calendar
  now: () => number
}) {
  const { host, port, monitor, observations, calendar, now } = options
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    const answer = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
      response.end(body)
    }
    if (request.method !== 'GET') return answer(405, '{"message":"GET only"}')
    if (request.url === '/healthz') return answer(200, '{"ok":true}')
    const period = Number(/^\/v1\/reports\/(\d{1,9})$/.exec(request.url ?? '')?.[1] ?? Number.NaN)
    if (Number.isNaN(period)) return answer(404, '{"message":"not found"}')
    if (now() < calendar.endOf(period) + calendar.windowSeconds)
      return answer(425, '{"message":"not before the commitments are over"}')
    answer(200, writeReports({ monitor, period, reports: observations.reports(period) }))
  })
  server.maxConnections = 200
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
