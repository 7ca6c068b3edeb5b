import { statfsSync } from 'node:fs'
import { freemem, loadavg } from 'node:os'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { OpenTransactions } from '../../chain/transactions/openOutboxTable.ts'
import type { GpuReading } from '../../machine/gpu/readGpuHealth.ts'
import type { Measurement } from '../../machine/usage/createUsageMeter.ts'
import type { Gpu } from '../../runtime/Gpu.ts'

/** The sources that an agent's metrics are read from at each scrape. */
export interface Observed {
  version: string
  provider: string
  /** The folder whose disk orders use. */
  data: string
  platforms: () => readonly { platform: string; isConnected: boolean }[]
  /** Errors since the start that nothing handled. */
  uncaught: () => number
  /** Number of the newest block; rejects while the chain does not answer. */
  block: () => Promise<bigint>
  /** The operator key's balance for gas, in wei. */
  gasWei: () => Promise<bigint>
  orders: () => { phase: string }[]
  transactions: () => OpenTransactions[]
  /** Running orders. */
  running: () => bigint[]
  measure: (orderId: bigint) => Promise<Measurement | undefined>
  gpus: readonly Gpu[]
  readingOf: (gpu: Gpu) => GpuReading | undefined
  problemOf: (id: string) => string | undefined
}

/** A slow chain must not delay the scrape. */
const CHAIN_ANSWER_MS = 3000

export type Metrics = ReturnType<typeof createMetrics>

/** The Prometheus metrics of an agent. They contain no renter data: orders appear by number, with their usage. */
export function createMetrics(observed: Observed) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `rackfair_agent_${name}`, help, labelNames, registers })
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `rackfair_agent_${name}`, help, labelNames, registers })

  const info = gauge('info', 'Always 1; the version and the provider are its labels', ['version', 'provider'])
  const connected = gauge('platform_connected', '1 while this platform holds a connection of this agent', ['platform'])
  const chainUp = gauge('chain_up', '1 while the chain answers')
  const block = gauge('chain_block', 'Newest block that the chain named')
  const gas = gauge('operator_gas_ether', 'What the operator key has to pay for transactions')
  const orders = gauge('orders', 'Orders that this agent holds, by the phase of their deployment', ['phase'])
  const transactions = gauge('transactions', 'Transactions that are not done, by state', ['state'])
  const oldest = gauge('oldest_transaction_seconds', 'Age of the oldest transaction that is wanted or sent')
  const load = gauge('machine_load1', 'Load average of one minute')
  const memory = gauge('machine_memory_free_bytes', 'Memory that nothing uses')
  const disk = gauge('machine_disk_free_bytes', 'Free bytes of the disk that orders use')
  const gpuLabels = ['gpu', 'model']
  const gpuUp = gauge('gpu_up', '1 for a GPU that orders get, 0 for one that cannot be used', gpuLabels)
  const gpuUse = gauge('gpu_use_ratio', 'Use of a GPU, 0 to 1', gpuLabels)
  const gpuMemory = gauge('gpu_memory_used_bytes', 'Memory in use', gpuLabels)
  const gpuMemoryTotal = gauge('gpu_memory_bytes', 'Memory of the GPU', gpuLabels)
  const gpuCelsius = gauge('gpu_celsius', 'Temperature', gpuLabels)
  const gpuWatts = gauge('gpu_watts', 'Power draw', gpuLabels)
  const gpuEcc = gauge('gpu_ecc_errors', 'Memory errors that could not be corrected since the driver started', gpuLabels)
  const orderCpu = counter('order_processor_seconds_total', 'Processor time since the application started', ['order'])
  const orderMemory = gauge('order_memory_bytes', 'Memory of the application', ['order'])
  const orderDisk = gauge('order_disk_used_bytes', 'Used of the disk of the order', ['order'])
  const orderDiskSize = gauge('order_disk_bytes', 'Size of the disk of the order', ['order'])
  const orderReceived = counter('order_received_bytes_total', 'Bytes received since the application started', ['order'])
  const orderSent = counter('order_sent_bytes_total', 'Bytes sent since the application started', ['order'])
  const responses = counter('gateway_responses_total', 'Answers of the gateway, by class of status', ['class'])

  const uncaught = counter('uncaught_errors_total', 'Errors that nothing handled: each is a fault of the agent', [])

  const readChain = async () => {
    const [head, wei] = await within(Promise.all([observed.block(), observed.gasWei()]), CHAIN_ANSWER_MS)
    block.set(Number(head))
    gas.set(Number(wei) / 1e18)
  }
  const readOrder = async (orderId: bigint) => {
    const used = await observed.measure(orderId)
    if (!used) return
    const order = String(orderId)
    orderCpu.inc({ order }, used.processorMicros / 1e6)
    orderMemory.set({ order }, used.memoryBytes)
    orderReceived.inc({ order }, used.receivedBytes)
    orderSent.inc({ order }, used.sentBytes)
    if (!used.disk) return
    orderDisk.set({ order }, used.disk.usedBytes)
    orderDiskSize.set({ order }, used.disk.sizeBytes)
  }
  const readGpu = (gpu: Gpu) => {
    const labels = { gpu: gpu.id, model: gpu.model }
    gpuUp.set(labels, observed.problemOf(gpu.id) === undefined ? 1 : 0)
    const reading = observed.readingOf(gpu)
    const set = (into: typeof gpuUse, value: number | undefined) => value !== undefined && into.set(labels, value)
    set(gpuUse, reading?.usePercent === undefined ? undefined : reading.usePercent / 100)
    set(gpuMemory, reading?.memoryUsedMb === undefined ? undefined : reading.memoryUsedMb * 2 ** 20)
    set(gpuMemoryTotal, reading?.memoryMb === undefined ? undefined : reading.memoryMb * 2 ** 20)
    set(gpuCelsius, reading?.celsius)
    set(gpuWatts, reading?.watts)
    set(gpuEcc, reading?.eccErrors)
  }

  return {
    contentType: registry.contentType,
    answered: (status: number) => responses.inc({ class: `${Math.floor(status / 100)}xx` }),
    /** The metrics in Prometheus text format. Series of orders that ended are removed. */
    async text(): Promise<string> {
      const changing = [orders, transactions, gpuUse, gpuMemory, gpuMemoryTotal, gpuCelsius, gpuWatts, gpuEcc]
      for (const one of [...changing, orderCpu, orderMemory, orderDisk, orderDiskSize, orderReceived, orderSent, uncaught])
        one.reset()
      info.set({ version: observed.version, provider: observed.provider }, 1)
      uncaught.inc(observed.uncaught())
      for (const { platform, isConnected } of observed.platforms()) connected.set({ platform }, isConnected ? 1 : 0)
      load.set(loadavg()[0] ?? 0)
      memory.set(freemem())
      const { bavail, bsize } = statfsSync(observed.data)
      disk.set(bavail * bsize)
      for (const { phase } of observed.orders()) orders.inc({ phase })
      const open = observed.transactions()
      for (const { state, count } of open) transactions.set({ state }, count)
      const waiting = open.filter(({ state }) => state !== 'failed')
      oldest.set(Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds)))
      for (const gpu of observed.gpus) readGpu(gpu)
      const [chain] = await Promise.allSettled([readChain(), ...observed.running().map(readOrder)])
      chainUp.set(chain.status === 'fulfilled' ? 1 : 0)
      return registry.metrics()
    },
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
