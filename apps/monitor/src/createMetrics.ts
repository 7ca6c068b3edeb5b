import { Counter, Gauge, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** A monitor's own Prometheus metrics at `/metrics`. A stalled monitor shows as an epoch that does not advance. */
export function createMetrics(uncaught: () => number = () => 0) {
  const registry = new Registry()
  const metrics = {
    epoch: new Gauge({
      name: 'rackfair_monitor_epoch',
      help: 'Number of the epoch that was observed last',
      registers: [registry],
    }),
    observations: new Counter({
      ...{ name: 'rackfair_monitor_observations_total', help: 'Nodes observed, once in each epoch', registers: [registry] },
      labelNames: ['result'] as const,
    }),
    silent: new Gauge({
      name: 'rackfair_monitor_silent_providers',
      help: 'Providers of the same owner or network, which it does not observe',
      registers: [registry],
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
  }
  new Counter({
    name: 'rackfair_monitor_uncaught_errors_total',
    help: 'Errors that nothing handled: each is a fault of the monitor',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(uncaught())
    },
  })
  // Prometheus sees no increase when a series begins, so without initial values the first failure, and the first report of a monitor, would
  // not count.
  for (const step of ['observe', 'report', 'hardware']) metrics.failures.inc({ step }, 0)
  for (const result of ['up', 'down', 'busy']) metrics.observations.inc({ result }, 0)
  for (const call of ['commit', 'reveal']) metrics.transactions.inc({ call, status: 'success' }, 0)
  return { ...metrics, contentType: registry.contentType, text: () => registry.metrics() }
}
