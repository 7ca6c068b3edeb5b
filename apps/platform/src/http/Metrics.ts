import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** The Prometheus metrics served at /metrics. */
export function createMetrics(uncaught: () => number = () => 0) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Counter({
    name: 'rackfair_uncaught_errors_total',
    help: 'Errors that nothing handled: each is a fault of the platform',
    registers,
    collect() {
      this.reset()
      this.inc(uncaught())
    },
  })
  return {
    registry,
    requests: new Histogram({
      name: 'rackfair_http_seconds',
      help: 'Time to answer by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.05, 0.2, 1, 5],
      registers,
    }),
    limited: new Counter({
      name: 'rackfair_rate_limited_total',
      help: 'Requests refused by a rate limit',
      labelNames: ['limit'],
      registers,
    }),
    block: new Gauge({ name: 'rackfair_indexed_block', help: 'Block that the rows are at', registers }),
    head: new Gauge({ name: 'rackfair_head_block', help: 'Newest block that the chain named', registers }),
    live: new Gauge({ name: 'rackfair_indexer_live', help: '1 while the indexer is at the head', registers }),
    differences: new Gauge({
      name: 'rackfair_chain_differences',
      help: 'Fields that differed from the chain at the last check',
      registers,
    }),
    agents: new Gauge({ name: 'rackfair_agents_connected', help: 'Agents connected to this process', registers }),
    visitors: new Gauge({
      name: 'rackfair_workspace_visitors',
      help: 'Visitors of workspaces that this process passes on',
      registers,
    }),
    unread: new Gauge({ name: 'rackfair_workspace_unread_bytes', help: 'Bytes that those visitors have not read', registers }),
    streams: new Gauge({ name: 'rackfair_event_streams', help: 'Open event streams', registers }),
    streamsUnread: new Gauge({
      name: 'rackfair_event_streams_unread_bytes',
      help: 'Bytes that readers of event streams have not read',
      registers,
    }),
    cacheHits: new Gauge({ name: 'rackfair_cache_hits', help: 'Answers from the representation cache', registers }),
    cacheMisses: new Gauge({ name: 'rackfair_cache_misses', help: 'Answers built', registers }),
  }
}
