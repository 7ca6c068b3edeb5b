import type { ProviderTakes } from '@rackfair/protocol/nodes'
import type { AnnouncedMachine } from '@rackfair/protocol/relay'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Hardware } from '../../machine/detect/detectHardware.ts'
import { machineSize } from '../../machine/detect/soldBeyond.ts'

/** What platforms are told of this machine: its size and driver as detected, and where it stands as its provider says. */
export function announcedMachine(
  { region, sampleHardware }: Pick<AgentConfig, 'region' | 'sampleHardware'>,
  hardware: Hardware,
  takes: ProviderTakes,
): AnnouncedMachine {
  const { driver } = hardware
  return {
    ...machineSize(hardware),
    takes,
    ...(region === undefined ? {} : { region }),
    ...(driver === undefined ? {} : { driver }),
    ...(sampleHardware ? { sample: true as const } : {}),
  }
}
