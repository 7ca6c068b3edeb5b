import type { GpuUsage, UsageLimits, UsagePoint } from '@rackfair/protocol/workspaceAnswers'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { OrderUsage, Runtime } from '../../runtime/Runtime.ts'
import type { GpuReading } from '../gpu/readGpuHealth.ts'

export interface Measurement extends OrderUsage {
  /** Of the clock that only runs forward, in milliseconds. */
  atMs: number
  gpus: { gpu: Gpu; reading: GpuReading | undefined }[]
}

export interface MeterOptions {
  usage: Runtime['usage']
  gpusOf: (orderId: bigint) => readonly Gpu[]
  readingOf: (gpu: Gpu) => GpuReading | undefined
  /** Unix milliseconds. */
  now?: () => number
}

/** What an order's application uses of what was bought. */
export function createUsageMeter({ usage, gpusOf, readingOf, now = Date.now }: MeterOptions) {
  return {
    /** What the kernel and the cards say now, of all services together unless one is named; undefined while none of them runs. */
    async measure(orderId: bigint, service?: string): Promise<Measurement | undefined> {
      const counted = await usage(orderId, service)
      if (!counted) return undefined
      const gpus = gpusOf(orderId).map((gpu) => ({ gpu, reading: readingOf(gpu) }))
      return { ...counted, atMs: performance.now(), gpus }
    },

    /** What was used between two measurements; undefined where the application was started anew in between. */
    between(before: Measurement, after: Measurement): UsagePoint | undefined {
      const seconds = (after.atMs - before.atMs) / 1000
      const delta = (name: 'processorMicros' | 'receivedBytes' | 'sentBytes') => after[name] - before[name]
      if (seconds <= 0 || before.start !== after.start) return undefined
      return {
        time: Math.floor(now() / 1000),
        cores: delta('processorMicros') / 1e6 / seconds,
        ...{ processes: after.processes, memoryBytes: after.memoryBytes, diskBytes: after.disk?.usedBytes },
        ...{ receivedPerSecond: delta('receivedBytes') / seconds, sentPerSecond: delta('sentBytes') / seconds },
        gpus: after.gpus.map(({ reading }): GpuUsage => {
          const { usePercent, memoryUsedMb, celsius, watts } = reading ?? {}
          return { usePercent, memoryUsedMb, celsius, watts }
        }),
      }
    },

    limits: ({ cores, memoryLimitBytes, disk, gpus }: Measurement): UsageLimits => ({
      ...{ type: 'limits', cores, memoryBytes: memoryLimitBytes, diskBytes: disk?.sizeBytes },
      gpus: gpus.map(({ gpu, reading }) => ({ model: gpu.model, memoryMb: reading?.memoryMb })),
    }),
  }
}
export type UsageMeter = ReturnType<typeof createUsageMeter>
