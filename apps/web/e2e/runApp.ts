import { expect } from '@playwright/test'
import { formatDeployText } from '@rackfair/protocol/deployText'
import type { NodeListItem } from '@rackfair/protocol/nodes'
import { PRESET_IDS } from '@rackfair/rules/presets'
import { contractCall, createApi } from '@rackfair/sdk'
import type { RunningMarket } from '@rackfair/testkit'
import type { Address, LocalAccount } from 'viem'
import { marketActor } from './marketActor.ts'

const SLOW_MS = 60_000

/** Buys a machine of this agent and runs a preset on it, without the UI, which has its own tests. */
export async function runApp(market: RunningMarket, account: LocalAccount, app: 'nginx' | 'ubuntu') {
  const api = createApi({ baseUrl: market.url })
  const actor = await marketActor(market, account)
  const idle = async () => (await api.nodes({ idle: true, online: true })).items.find(({ cp }) => cp !== undefined)
  await expect.poll(idle, { timeout: 120_000 }).toBeDefined()
  const { cp, id } = (await idle()) as NodeListItem
  const order = await actor.buy(cp as Address, BigInt(id))
  const orderId = String(order)
  const isKnown = () =>
    api.order(orderId).then(
      () => true,
      () => false,
    )
  await expect.poll(isKnown, { timeout: SLOW_MS }).toBe(true)
  const { chainId } = await api.config()
  const text = formatDeployText({
    ...{ orderId: order, deployId: PRESET_IDS[app], wallet: account.address, provider: cp as Address, chainId },
    time: Math.floor(Date.now() / 1000),
  })
  await api.deploy({ text, signature: await account.signMessage({ message: text }) })
  await expect.poll(async () => (await api.orderDeployment(orderId)).phase, { timeout: 400_000 }).toBe('Running')
  const { visitUrl } = await api.orderDeployment(orderId)
  const leave = () => actor.send(contractCall(actor.addresses, 'market', 'userCancel', [order]))
  return { orderId, link: visitUrl ?? '', leave }
}
