import type { Chain } from '@rackfair/testkit'
import { parseEther } from 'viem'
import { type Actor, CONDITIONS, NODE } from './actorOn.ts'

type Random = { below(limit: number): number }

/** Two providers with pledges, some nodes and credit for the buyers: the setup for random trade. */
export async function openMarket(chain: Chain, act: Actor): Promise<void> {
  const { accounts, deployment } = chain
  await act.becomeProvider(accounts.provider, 'north')
  await act.becomeProvider(accounts.otherProvider, 'south')
  for (const user of [accounts.user, accounts.otherUser]) {
    await act.send(accounts.faucet, 'credit', 'transfer', [user.address, parseEther('1000000')])
    await act.send(user, 'credit', 'approve', [deployment.market, parseEther('1000000')])
  }
}

/** One random action of somebody. What the contracts refuse is skipped, as in production. */
export async function tradeOnce(chain: Chain, act: Actor, random: Random): Promise<void> {
  const { accounts } = chain
  const provider = random.below(2) === 0 ? accounts.provider : accounts.otherProvider
  const user = random.below(2) === 0 ? accounts.user : accounts.otherUser
  const nodeId = BigInt(1 + random.below(4))
  const orderId = BigInt(1 + random.below(12))
  const offer = {
    ...NODE,
    nMEM: 16 * (1 + random.below(8)),
    nGPU: random.below(3),
    pCPU: parseEther(String(1 + random.below(50))),
  }
  const duration = 2_592_000 * (1 + random.below(3))
  const order = {
    provider: provider.address,
    nodeId,
    rev: 1 + random.below(2),
    duration,
    maxFee: parseEther('100000'),
    conditions: CONDITIONS,
    app: 'nginx',
  }
  const deeds = [
    () => act.send(provider, 'registry', 'add_node', [offer]),
    () => act.send(provider, 'registry', 'updatenode', [nodeId, offer]),
    () => act.send(provider, 'registry', 'del_node', [nodeId]),
    () => act.send(provider, 'registry', 'setOnline', [provider.address, nodeId, random.below(3) > 0]),
    () => act.send(provider, 'registry', 'revise', [{ name: `name${random.below(9)}`, ip: '127.0.0.1', domain: '', port: 7070 }]),
    () => act.send(provider, 'registry', 'set_avail', [provider.address, nodeId, true]),
    () => act.send(user, 'market', 'createOrder', [order]),
    () => act.send(user, 'market', 'createOrder', [order]),
    () => act.send(user, 'market', 'createOrder', [order]),
    () => act.send(provider, 'market', 'activate', [orderId]),
    () => act.send(provider, 'market', 'activate', [orderId]),
    () => act.send(provider, 'market', 'activateWithApp', [orderId, 'apache']),
    () => act.send(user, 'market', 'userConfirm', [orderId]),
    () => act.send(user, 'market', 'extend', [orderId, duration]),
    () => act.send(user, 'market', 'userCancel', [orderId]),
    () => act.send(provider, 'market', 'providerCancel', [orderId]),
    () => act.send(user, 'market', 'proSettle', [orderId]),
    () => act.send(provider, 'market', 'proWithdraw', []),
    () => act.warp(3_600 * (1 + random.below(400))),
  ]
  await (deeds[random.below(deeds.length)] as () => Promise<unknown>)().catch(() => undefined)
}
