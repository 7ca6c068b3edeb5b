import { Counter, Gauge, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** Why a connection was not served. */
const REFUSALS = ['no_name', 'unknown_name', 'blocked', 'away', 'crowded', 'bytes', 'silent_agent'] as const
export type Refusal = (typeof REFUSALS)[number]

/** An edge's own Prometheus metrics at `/metrics`. */
export function createMetrics(uncaught: () => number = () => 0) {
  const registry = new Registry()
  const metrics = {
    served: new Counter({
      ...{ name: 'rackfair_edge_visitors_total', help: 'Connections handed to an agent', registers: [registry] },
      labelNames: ['kind', 'connection'] as const,
    }),
    refused: new Counter({
      ...{ name: 'rackfair_edge_refused_total', help: 'Connections of visitors that were not served', registers: [registry] },
      labelNames: ['reason'] as const,
    }),
    bytes: new Counter({
      ...{ name: 'rackfair_edge_bytes_total', help: 'Bytes of visitors, in both directions', registers: [registry] },
      labelNames: ['provider'] as const,
    }),
  }
  new Counter({
    name: 'rackfair_edge_uncaught_errors_total',
    help: 'Errors that nothing handled: each is a fault of the edge',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(uncaught())
    },
  })
  // Prometheus sees no increase when a series begins.
  for (const reason of REFUSALS) metrics.refused.inc({ reason }, 0)
  for (const kind of ['tls', 'plain', 'raw'])
    for (const connection of ['spare', 'dialled']) metrics.served.inc({ kind, connection }, 0)
  /** Numbers that are read when they are asked for. */
  const watch = ({ agents, visitors }: Record<'agents' | 'visitors', () => number>): void => {
    const gauges = [
      { name: 'rackfair_edge_agents', help: 'Agents that are connected', read: agents },
      { name: 'rackfair_edge_visitors', help: 'Connections of visitors that are open', read: visitors },
    ]
    for (const { name, help, read } of gauges)
      new Gauge({
        ...{ name, help, registers: [registry] },
        collect() {
          this.set(read())
        },
      })
  }
  return { ...metrics, watch, contentType: registry.contentType, text: () => registry.metrics() }
}
