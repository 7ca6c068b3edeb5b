import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Hardware } from './detectHardware.ts'
import { machineHardware } from './machineHardware.ts'

/** The hardware an agent offers: that of its configured cluster, or else of its machine. */
export async function offeredHardware(
  config: Pick<AgentConfig, 'sampleHardware' | 'kubernetes'>,
  folder: string,
): Promise<Hardware> {
  const ofThisMachine = await machineHardware(config, folder)
  if (!config.kubernetes) return ofThisMachine
  const { clusterHardware } = await import('./clusterHardware.ts')
  return clusterHardware(config.kubernetes, ofThisMachine)
}
