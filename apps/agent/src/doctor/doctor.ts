import type { AgentConfig } from '../config/agentConfig.ts'
import type { Check } from './Check.ts'
import { checkMachine } from './checkMachine.ts'
import { checkProvider } from './checkProvider.ts'
import { tryIsolation } from './tryIsolation.ts'

export interface DoctorOptions {
  data: string
  say: (line: string) => void
  /** Where the machine's ranges of user ids are written. */
  etc?: string
}

/**
 * Every requirement of a provider's machine as pass or fail, each with its fix. With a configuration it also asks chain, platform
 * and gateway, and lets a container try to get out. Changes nothing that stays.
 */
export async function doctor(config: AgentConfig | undefined, { data, say, etc = '/etc' }: DoctorOptions): Promise<Check[]> {
  const machine = await checkMachine(config?.dockerSocket, data, etc)
  if (!config) return machine
  const provider = await checkProvider(config)
  return [
    ...machine,
    ...provider,
    ...(await tryIsolation(
      config,
      data,
      machine.every((one) => one.ok),
      say,
    )),
  ]
}
