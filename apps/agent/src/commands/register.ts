import { AppError, parseCredit } from '@rackfair/core'
import { openChain } from '../chain/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { loadOperatorKey, parsePrivateKey } from '../config/operatorKey.ts'
import type { Output } from './output.ts'
import { describePlan, fundOperator, providerPlan, runPlan } from './providerPlan.ts'

/** Provider, address, pledge and operator on chain as the configuration has them; the nodes are left alone. */
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
  const steps = await providerPlan(chain, config.provider, wish)
  const key = process.env.RACKFAIR_PROVIDER_KEY
  if (!key) {
    const open = await describePlan(chain.client, config.provider, steps)
    for (const step of open) output.say(`to send from ${config.provider}: ${step.title}\n  to ${step.to}\n  data ${step.data}`)
    return output.result({ done: [], open }, `${open.length} transactions wait for the provider's wallet.`)
  }
  const account = parsePrivateKey(key, 'RACKFAIR_PROVIDER_KEY')
  if (account.address.toLowerCase() !== config.provider)
    throw new AppError('bad_request', 'RACKFAIR_PROVIDER_KEY is of another provider')
  const done: { title: string; hash: string }[] = []
  await runPlan(chain, config.rpcUrl, account, steps, (title, hash) => {
    done.push({ title, hash })
    output.say(`${title} (${hash})`)
  })
  await fundOperator(chain, config.rpcUrl, account, operator.address)
  output.result({ done, open: [] }, done.length === 0 ? 'Nothing to do.' : 'Done.')
}
