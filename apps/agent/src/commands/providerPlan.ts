import { AppError } from '@rackfair/rules/errors/AppError'
import { checkProviderFields, type NodeInput } from '@rackfair/rules/formRules'
import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import { formatCredit } from '@rackfair/rules/money'
import {
  addNodeCall,
  type ContractCall,
  contractCall,
  pledgeCall,
  readMarket,
  registerCall,
  setOperatorCall,
} from '@rackfair/sdk'
import { isAddressEqual } from 'viem'
import type { ChainView } from '../chain/read/chainView.ts'
import { defaultPledgeWei } from './defaultPledgeWei.ts'
import { operatorGas } from './operatorGas.ts'

export interface ProviderWish {
  name: string
  ip: string
  domain: string
  port: number
  /**
   * Undefined keeps a pledge that is sufficient to sell; otherwise the pledge becomes what selling every offered node locks, at least 10
   * USD.
   */
  pledgeWei: bigint | undefined
  operator: `0x${string}`
  /** Added if the provider has no node yet. */
  nodes: NodeInput[]
}

export interface PlannedStep {
  title: string
  call: ContractCall | Payment
}

/** An amount of the chain's own currency. */
export interface Payment {
  to: `0x${string}`
  valueWei: bigint
}

/** Uses the same rules as the web form. */
function requireFields({ name, ip, domain, port }: ProviderWish): void {
  const [problem] = Object.entries(checkProviderFields({ name, ip, domain, port: String(port) }))
  if (problem) throw new AppError('bad_request', `--${problem[0]}: ${problem[1].replaceAll('_', ' ')}`)
}

/**
 * The transactions still missing to bring the chain to the wanted state. Empty when nothing is to do.
 * @throws AppError `insufficient_credit` when the provider cannot pay the pledge.
 */
export async function providerPlan(chain: ChainView, provider: `0x${string}`, wish: ProviderWish): Promise<PlannedStep[]> {
  const { client, addresses } = chain
  const steps: PlannedStep[] = []
  const [info, pledged, operator, { penalty }] = await Promise.all([
    chain.providerInfo(),
    readMarket(client, addresses, 'pledge', 'pledgeOf', [provider]),
    readMarket(client, addresses, 'registry', 'operatorOf', [provider]),
    readMarket(client, addresses, 'market', 'params', []),
  ])
  requireFields(wish)
  const said = { name: wish.name, ip: wish.ip, domain: wish.domain, port: wish.port }
  if (!info.exist)
    steps.push({
      title: `register ${wish.name} at ${wish.ip}:${wish.port}`,
      call: registerCall(addresses, said),
    })
  else if (info.name !== said.name || info.ip !== said.ip || info.domain !== said.domain || info.port !== said.port)
    steps.push({
      title: `change the provider to ${wish.name} at ${wish.ip}:${wish.port}`,
      call: contractCall(addresses, 'registry', 'updatecp', [said]),
    })
  const wished = wish.pledgeWei ?? (pledged < MIN_PLEDGE_WEI ? defaultPledgeWei(wish.nodes, penalty) : pledged)
  const target = wished < MIN_PLEDGE_WEI ? MIN_PLEDGE_WEI : wished
  if (pledged < target) {
    const missing = target - pledged
    const owned = await readMarket(client, addresses, 'credit', 'balanceOf', [provider])
    if (owned < missing)
      throw new AppError(
        'insufficient_credit',
        `the pledge needs ${formatCredit(missing)} Credit more, and ${provider} has ${formatCredit(owned)}; get Credit (on the local market from its faucet) or name a smaller pledge with --pledge, at least ${formatCredit(MIN_PLEDGE_WEI)}`,
      )
    steps.push(
      {
        title: `allow the pledge to take ${formatCredit(missing)} Credit`,
        call: contractCall(addresses, 'credit', 'approve', [addresses.pledge, missing]),
      },
      {
        title: `pledge ${formatCredit(missing)} Credit`,
        call: pledgeCall(addresses, missing),
      },
    )
  }
  if (info.lastNode === 0n)
    for (const [index, node] of wish.nodes.entries())
      steps.push({ title: `add node ${index + 1}`, call: addNodeCall(addresses, node) })
  if (!isAddressEqual(operator, wish.operator))
    steps.push({
      title: `appoint the operator ${wish.operator}`,
      call: setOperatorCall(addresses, wish.operator),
    })
  return [...steps, ...(await operatorGas(chain, provider, wish.operator))]
}
