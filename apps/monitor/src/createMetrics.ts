import { Counter, Gauge, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** What a monitor tells Prometheus of itself at `/metrics`. Silence shows as an epoch that stands still. */
export function createMetrics() {
  const registry = new Registry()
  return {
    epoch: new Gauge({
      name: 'rackfair_monitor_epoch',
      help: 'Number of the epoch that was observed last',
      registers: [registry],
    }),
    observations: new Counter({
      ...{ name: 'rackfair_monitor_observations_total', help: 'Nodes observed, once in each epoch', registers: [registry] },
      labelNames: ['result'] as const,
    }),
    hardware: new Counter({
      ...{ name: 'rackfair_monitor_hardware_tests_total', help: 'Tests of the hardware of nodes', registers: [registry] },
      labelNames: ['outcome'] as const,
    }),
    failures: new Counter({
      ...{ name: 'rackfair_monitor_failures_total', help: 'Rounds that the chain or the network ended', registers: [registry] },
      labelNames: ['step'] as const,
    }),
    transactions: new Counter({
      ...{ name: 'rackfair_monitor_transactions_total', help: 'Calls of the contract Monitors', registers: [registry] },
      labelNames: ['call', 'status'] as const,
    }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
