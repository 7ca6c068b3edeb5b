import {
  CLEAN_DEPLOY_ID,
  DEVELOPMENT_CHAIN_ID,
  formatDeployText,
  MONTH_SECONDS,
  PRESET_IDS,
  type PresetName,
} from '@rackfair/core'
import { contractCall, createApi, quoteOrder, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import { type Address, createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export type Buyer = Awaited<ReturnType<typeof createBuyer>>

/**
 * A buyer without a browser on a running local market: a fresh key, Credit and gas from the faucet, and an order of one month on
 * the first idle node.
 */
export async function createBuyer(url: string) {
  const api = createApi({ baseUrl: url })
  const { rpcUrl, access } = await api.config()
  const account = privateKeyToAccount(generatePrivateKey())
  const reader = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
  const writer = createWalletClient({ account, transport: http(rpcUrl) })
  for (const hash of (await api.faucet(account.address)).transactionHashes) await waitForReceipt(reader, hash as Hex)

  const addresses = await readAddresses(reader, access as Address)
  const slot = (await api.rack()).slots.find((one) => one.state === 'idle')
  if (!slot) throw new Error('no node is idle')
  const provider = slot.cp as Address
  const nodeId = BigInt(slot.id)
  const { feeWei, rev } = await quoteOrder(reader, addresses, provider, nodeId, MONTH_SECONDS)
  const send = async (call: Parameters<typeof sendCall>[2]) => waitForReceipt(reader, await sendCall(reader, writer, call))
  await send(contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
  const input = { provider, nodeId, rev, duration: MONTH_SECONDS, maxFee: feeWei, app: '' }
  const receipt = await send(contractCall(addresses, 'market', 'createOrder', [input]))
  const [order] = await api.userOrders(account.address, { minBlock: receipt.blockNumber })
  if (!order) throw new Error('the order is not listed')

  let lastTime = 0
  return {
    api,
    account,
    order,
    /** Signs a request to deploy a preset on the order, or to clean it. Times of one order must grow, and are whole seconds. */
    async sign(what: PresetName | 'clean'): Promise<{ text: string; signature: Hex }> {
      while (Math.floor(Date.now() / 1000) <= lastTime) await new Promise((resolve) => setTimeout(resolve, 50))
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
