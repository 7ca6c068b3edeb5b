import { AppError, formatCredit, MIN_PLEDGE_WEI } from '@rackfair/core'
import { type ContractCall, contractCall, readMarket, sendCall, waitForReceipt } from '@rackfair/sdk'
import { createWalletClient, encodeFunctionData, http, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainView } from '../chain/chainView.ts'
import type { NodeInput } from '../detect/proposeNodes.ts'

export interface ProviderWish {
  name: string
  ip: string
  domain: string
  port: number
  pledgeWei: bigint
  operator: `0x${string}`
  /** Offered when the provider has no node yet. */
  nodes: NodeInput[]
}

export interface PlannedStep {
  title: string
  call: ContractCall
}

/** The transactions that are still missing until the chain says what is wished. Empty when nothing is to do. */
export async function providerPlan(chain: ChainView, provider: `0x${string}`, wish: ProviderWish): Promise<PlannedStep[]> {
  const { client, addresses } = chain
  const steps: PlannedStep[] = []
  const [info, pledged, operator] = await Promise.all([
    chain.providerInfo(),
    readMarket(client, addresses, 'pledge', 'pledgeOf', [provider]),
    readMarket(client, addresses, 'registry', 'operatorOf', [provider]),
  ])
  const said = { name: wish.name, ip: wish.ip, domain: wish.domain, port: wish.port }
  if (!info.exist)
    steps.push({
      title: `register ${wish.name} at ${wish.ip}:${wish.port}`,
      call: contractCall(addresses, 'registry', 'register', [said]),
    })
  else if (info.name !== said.name || info.ip !== said.ip || info.domain !== said.domain || info.port !== said.port)
    steps.push({
      title: `change the provider to ${wish.name} at ${wish.ip}:${wish.port}`,
      call: contractCall(addresses, 'registry', 'updatecp', [said]),
    })
  const target = wish.pledgeWei < MIN_PLEDGE_WEI ? MIN_PLEDGE_WEI : wish.pledgeWei
  if (pledged < target) {
    const missing = target - pledged
    steps.push(
      {
        title: `allow the pledge to take ${formatCredit(missing)} Credit`,
        call: contractCall(addresses, 'credit', 'approve', [addresses.pledge, missing]),
      },
      {
        title: `pledge ${formatCredit(missing)} Credit`,
        call: contractCall(addresses, 'pledge', 'pledge', [addresses.credit, missing]),
      },
    )
  }
  if (info.lastNode === 0n)
    for (const [index, node] of wish.nodes.entries())
      steps.push({ title: `add node ${index + 1}`, call: contractCall(addresses, 'registry', 'add_node', [node]) })
  if (operator.toLowerCase() !== wish.operator.toLowerCase())
    steps.push({
      title: `appoint the operator ${wish.operator}`,
      call: contractCall(addresses, 'registry', 'setOperator', [wish.operator]),
    })
  return steps
}

/** Sends the steps one after another with the provider's own key. */
export async function runPlan(
  chain: ChainView,
  rpcUrl: string,
  account: PrivateKeyAccount,
  steps: readonly PlannedStep[],
  onStep: (title: string, hash: string) => void,
): Promise<void> {
  const writer = createWalletClient({ account, transport: http(rpcUrl) })
  for (const { title, call } of steps) {
    const hash = await sendCall(chain.client, writer, call, account)
    await waitForReceipt(chain.client, hash)
    onStep(title, hash)
  }
}

/** For a wallet elsewhere: what to send, and about what it costs in gas. */
export async function describePlan(client: PublicClient, from: `0x${string}`, steps: readonly PlannedStep[]) {
  const gasPrice = await client.getGasPrice().catch(() => 0n)
  return Promise.all(
    steps.map(async ({ title, call }) => {
      const data = encodeFunctionData({ abi: call.abi, functionName: call.functionName, args: call.args } as never)
      const gas = await client.estimateGas({ account: from, to: call.address, data }).catch(() => undefined)
      return {
        title,
        to: call.address,
        data,
        ...(gas === undefined ? {} : { gas: String(gas), costWei: String(gas * gasPrice) }),
      }
    }),
  )
}

const OPERATOR_GAS_WEI = 10n ** 18n

/** The hot key pays for its own transactions; the provider gives it a little when it has next to nothing. */
export async function fundOperator(
  chain: ChainView,
  rpcUrl: string,
  account: PrivateKeyAccount,
  operator: `0x${string}`,
): Promise<boolean> {
  if ((await chain.client.getBalance({ address: operator })) >= OPERATOR_GAS_WEI / 10n) return false
  const mine = await chain.client.getBalance({ address: account.address })
  const value = mine / 10n < OPERATOR_GAS_WEI ? mine / 10n : OPERATOR_GAS_WEI
  if (value === 0n) throw new AppError('insufficient_gas', `${account.address} has nothing to pay for transactions with`)
  const writer = createWalletClient({ account, transport: http(rpcUrl) })
  const hash = await writer.sendTransaction({ to: operator, value, chain: null })
  await waitForReceipt(chain.client, hash)
  return true
}
