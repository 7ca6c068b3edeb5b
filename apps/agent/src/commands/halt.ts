import { join } from 'node:path'
import { AppError } from '@rackfair/core'
import type { AgentConfig } from '../config/agentConfig.ts'
import { gatewayAnswers } from '../gateway/gatewayAnswers.ts'
import { unmountBelow } from '../runtime/engine/removeEngine.ts'
import { openTenants } from './openTenants.ts'
import type { Output } from './output.ts'

/**
 * Stops what an agent left running that was killed, or that ended without its applications: containers, disks and firewall. Data, images
 * and state stay, and the next start goes on with them.
 */
export async function halt(config: AgentConfig, data: string, output: Output): Promise<void> {
  if (await gatewayAnswers(config.gateway)) throw new AppError('conflict', 'the agent runs; stop it first')
  const runtime = await openTenants(config, data, output.say)
  if (!runtime) return output.result({ stopped: [] }, 'Nothing has run here.')
  const running = (await runtime.list()).filter((one) => one.running).map(({ orderId }) => String(orderId))
  await runtime.close({ stopWorkloads: true })
  // The engine tidies up behind what ended in its own time, and may find its folders elsewhere then.
  unmountBelow(join(data, 'engine'))
  output.result(
    { stopped: running },
    running.length === 0
      ? 'Nothing ran any more.'
      : `${running.length} ${running.length === 1 ? 'application that still ran was' : 'applications that still ran were'} stopped. The data is left.`,
  )
}
