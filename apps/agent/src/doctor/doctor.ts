import type { AgentConfig } from '../config/agentConfig.ts'
import type { Check } from './Check.ts'
import { checkGpus } from './checkGpus.ts'
import { checkMachine } from './checkMachine.ts'
import { checkProvider } from './checkProvider.ts'
import { checkResolvers } from './checkResolvers.ts'
import { checkSold } from './checkSold.ts'
import { tryIsolation } from './tryIsolation.ts'

export interface DoctorOptions {
  data: string
  say: (line: string) => void
}

/**
 * Every requirement of a provider's machine as pass or fail, each with its fix. With a configuration it also asks chain, platform
 * and gateway, and lets a container try to get out. Changes nothing that stays.
 */
export async function doctor(config: AgentConfig | undefined, { data, say }: DoctorOptions): Promise<Check[]> {
  const machine = await checkMachine(config?.dockerSocket, data)
  if (!config) return machine
  const provider = await checkProvider(config)
  const ready = machine.every((one) => one.ok)
  return [
    ...machine,
    ...provider,
    await checkResolvers(config.resolvers),
    ...(await checkSold(config, data)),
    ...(await checkGpus(config, data, ready, say)),
    ...(await tryIsolation(config, data, ready, say)),
  ]
}
