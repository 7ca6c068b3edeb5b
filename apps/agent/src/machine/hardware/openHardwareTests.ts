import { join } from 'node:path'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { createHardwareTests, type HardwareTestsOptions } from './createHardwareTests.ts'
import { openHardwareRecords } from './openHardwareRecords.ts'
import { startMeasuring } from './startMeasuring.ts'

/** The tests of this machine's hardware that monitors may ask for, with their records in `data`. */
export function openHardwareTests({
  config,
  data,
  ...options
}: Pick<HardwareTestsOptions, 'account' | 'monitors' | 'node' | 'now' | 'log'> & { config: AgentConfig; data: string }) {
  const records = openHardwareRecords(join(data, 'hardware.sqlite'))
  const tests = createHardwareTests({
    ...{ ...options, records, chainId: config.chainId, provider: config.provider },
    measure: (job) => startMeasuring(job),
    // Simulated memory counts as never free, so that no test ever verifies it.
    freeBytes: () => (config.sampleHardware ? 0 : process.availableMemory()),
    fileOf: (nodeId) => join(data, `hardware-${nodeId}.rows`),
  })
  return {
    ...tests,
    /** Call once nobody can ask for a test. */
    close(): void {
      tests.stop()
      records.close()
    },
  }
}
