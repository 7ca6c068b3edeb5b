import { setTimeout as sleep } from 'node:timers/promises'
import { formatDeployText } from '@rackfair/protocol/deployText'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { CLEAN_DEPLOY_ID, PRESET_IDS, type PresetName } from '@rackfair/rules/presets'
import { buyOrder, connectMarket, searchNodes, waitForReceipt, withAccount } from '@rackfair/sdk'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export type Buyer = Awaited<ReturnType<typeof createBuyer>>

/**
 * A buyer without a browser on a running local market: a fresh key, Credit and gas from the faucet, and an order of one month on the first
 * idle node that matches `text`.
 */
export async function createBuyer(url: string, text?: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const renter = withAccount(await connectMarket({ platform: url }), account)
  const { api, client } = renter
  for (const hash of (await api.faucet(account.address)).transactionHashes) await waitForReceipt(client, hash as Hex)

  const { nodes } = await searchNodes(renter, { idle: true, ...(text === undefined ? {} : { text }) })
  const node = nodes.find(({ blocker }) => blocker === undefined)
  if (!node) throw new Error('no node is idle')
  const { provider } = node
  const { block } = await buyOrder(renter, { provider, nodeId: node.nodeId, months: 1 })
  const [order] = await api.userOrders(account.address, { minBlock: block })
  if (!order) throw new Error('the order is not listed')

  let lastTime = 0
  return {
    api,
    account,
    order,
    /**
     * Signs a request to deploy a preset on the order, or to clean it. Times of one order's requests are whole seconds and must increase.
     */
    async sign(what: PresetName | 'clean'): Promise<{ text: string; signature: Hex }> {
      while (Math.floor(Date.now() / 1000) <= lastTime) await sleep(50)
      lastTime = Math.floor(Date.now() / 1000)
      const text = formatDeployText({
        orderId: BigInt(order.id),
        deployId: what === 'clean' ? CLEAN_DEPLOY_ID : PRESET_IDS[what],
        time: lastTime,
        wallet: account.address,
        provider,
        chainId: DEVELOPMENT_CHAIN_ID,
      })
      return { text, signature: await account.signMessage({ message: text }) }
    },
  }
}
