import { AppError } from '@rackfair/rules/errors/AppError'
import { parseCredit } from '@rackfair/rules/money'
import { openChain } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import type { Output } from './output.ts'
import { providerPlan } from './providerPlan.ts'
import { sendAsProvider } from './sendSteps.ts'

/** Brings provider, address, pledge and operator on chain in line with the configuration; nodes are left alone. */
export async function register(config: AgentConfig, options: { name?: string; pledge: string }, output: Output): Promise<void> {
  const pledgeWei = parseCredit(options.pledge)
  if (pledgeWei === undefined) throw new AppError('bad_request', '--pledge is not an amount of USD')
  const chain = await openChain(config)
  const operator = loadOperatorKey(config.operatorKeyFile)
  const info = await chain.providerInfo()
  const name = options.name ?? info.name
  if (!name) throw new AppError('bad_request', 'name the provider: --name')
  const { publicHost, domain, port } = config.gateway
  const wish = { name, ip: publicHost, domain: domain ?? '', port, pledgeWei, operator: operator.address, nodes: [] }
  const sent = await sendAsProvider(
    chain,
    config.rpcUrl,
    config.provider,
    await providerPlan(chain, config.provider, wish),
    output,
  )
  output.result(sent, summaryOf(sent))
}

export function summaryOf({ done, open }: { done: unknown[]; open: unknown[] }): string {
  if (open.length > 0) return `${open.length} transactions wait for the provider's wallet (or set RACKFAIR_PROVIDER_KEY).`
  return done.length === 0 ? 'Nothing to do.' : 'Done.'
}
