import { openChain } from '../../chain/read/chainView.ts'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { type Check, check } from '../../foundation/Check.ts'
import { offeredHardware } from '../../machine/detect/offeredHardware.ts'
import { soldBeyond } from '../../machine/detect/soldBeyond.ts'

const FIX =
  'offer less with rackfair-agent node edit or node remove: orders for what is not there are never started, and each costs you the price of an hour'

/** Whether this machine, or the cluster, has what its nodes on the market offer together. */
export async function checkSold(config: AgentConfig, data: string): Promise<Check[]> {
  const nodes = await openChain(config)
    .then((chain) => chain.nodes())
    .catch(() => undefined)
  // An unreachable chain is reported by another check.
  if (!nodes) return []
  const beyond = soldBeyond(nodes, await offeredHardware(config, data), { ...config, oversell: false })
  const found = beyond.length === 0 ? `this ${config.kubernetes ? 'cluster' : 'machine'} has it` : beyond.join(', ')
  return [
    check(
      'what the nodes offer',
      beyond.length === 0 || config.oversell,
      config.oversell ? `${found}; oversell is set` : found,
      FIX,
    ),
  ]
}
