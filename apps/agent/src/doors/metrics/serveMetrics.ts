import { createServer } from 'node:http'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { singleFlight } from '../../foundation/singleFlight.ts'
import type { Metrics } from './createMetrics.ts'

const MAX_CONNECTIONS = 20

/** Serves Prometheus. If the port is taken, the agent logs it and continues: its tenants matter more than its metrics. */
export async function serveMetrics({ host, port }: NonNullable<AgentConfig['metrics']>, metrics: Metrics, log: Log) {
  const text = singleFlight(metrics.text)
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': metrics.contentType }).end(body),
      (error: unknown) => {
        log.warn('the metrics cannot be read', { reason: reasonOf(error) })
        response.writeHead(500).end()
      },
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  server.requestTimeout = 10_000
  await new Promise<void>((resolve) => {
    server.on('error', (error) => {
      log.error('the metrics cannot be served', { host, port, reason: error.message })
      resolve()
    })
    server.listen(port, host, resolve)
  })
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
