import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Check } from '../../foundation/Check.ts'
import { checkCluster } from './checkCluster.ts'
import { checkGpus } from './checkGpus.ts'
import { checkMachine, checkNode } from './checkMachine.ts'
import { checkProvider } from './checkProvider.ts'
import { checkResolvers } from './checkResolvers.ts'
import { checkSold } from './checkSold.ts'
import { tryIsolation } from './tryIsolation.ts'

export interface DoctorOptions {
  data: string
  say: (line: string) => void
}

/**
 * Checks every requirement of a provider's machine as pass or fail, each with its fix. With a configuration it also checks chain, platform
 * and gateway, and has a container try to break out, or two pods if the configuration names a cluster. Leaves no lasting changes.
 */
export async function doctor(config: AgentConfig | undefined, { data, say }: DoctorOptions): Promise<Check[]> {
  if (config?.kubernetes) {
    const cluster = await checkCluster(config)
    const sold = cluster.every((one) => one.ok) ? await checkSold(config, data) : []
    return [checkNode(), ...(await checkProvider(config, data)), ...cluster, ...sold]
  }
  const machine = await checkMachine(config?.dockerSocket, data)
  if (!config) return machine
  const provider = await checkProvider(config, data)
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
