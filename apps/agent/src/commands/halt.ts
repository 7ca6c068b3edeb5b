import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentConfig } from '../config/agentConfig.ts'
import { gatewayAnswers } from '../doors/gateway/gatewayAnswers.ts'
import { unmountBelow } from '../runtime/engine/removeEngine.ts'
import { openTenants } from './openTenants.ts'
import type { Output } from './output.ts'

/**
 * Stops what an agent left running when it was killed or exited without stopping its applications: containers, disks and firewall. Data,
 * images and state stay, and the next start resumes with them.
 */
export async function halt(config: AgentConfig, data: string, output: Output): Promise<void> {
  if (await gatewayAnswers(config.gateway)) throw new AppError('conflict', 'the agent is running; stop it first')
  const runtime = await openTenants(config, data, output.say)
  if (!runtime) return output.result({ stopped: [] }, 'Nothing has run here.')
  const all = (await runtime.list()).filter((one) => one.running)
  const running = [...new Set(all.map(({ orderId }) => String(orderId)))]
  await runtime.close({ stopWorkloads: true })
  // The engine cleans up after stopped containers asynchronously, and by then may no longer find its folders in place.
  unmountBelow(join(data, 'engine'))
  output.result(
    { stopped: running },
    running.length === 0
      ? 'Nothing was running any more.'
      : `${running.length} ${running.length === 1 ? 'application that was still running was' : 'applications that were still running were'} stopped. The data is left.`,
  )
}
