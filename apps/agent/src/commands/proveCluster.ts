import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentConfig } from '../config/agentConfig.ts'
import { checkLines } from '../foundation/Check.ts'
import { checkCluster } from './doctor/checkCluster.ts'
import type { Output } from './output.ts'

/** Tries on the provider's cluster what no tenant may do there, and reports what holds; exits with code 1 if anything does not. */
export async function proveCluster(config: AgentConfig, output: Output): Promise<void> {
  if (!config.kubernetes) throw new AppError('bad_request', 'the configuration names no cluster: add kubernetes to it')
  const checks = await checkCluster(config)
  output.result(checks, checkLines(checks))
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1
}
