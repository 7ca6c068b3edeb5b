import { AppError } from '@rackfair/core'
import type { AgentConfig } from '../config/agentConfig.ts'
import { checkLines } from '../doctor/Check.ts'
import { checkCluster } from '../doctor/checkCluster.ts'
import type { Output } from './output.ts'

/** Tries on the provider's cluster what no tenant may do there, and says what holds; a cluster that does not is exit code 1. */
export async function proveCluster(config: AgentConfig, output: Output): Promise<void> {
  if (!config.kubernetes) throw new AppError('bad_request', 'the configuration names no cluster: add kubernetes to it')
  const checks = await checkCluster(config)
  output.result(checks, checkLines(checks))
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1
}
