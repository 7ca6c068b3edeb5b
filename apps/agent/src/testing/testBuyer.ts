import { marketAbi } from '@rackfair/contracts'
import { envText, formatDeployText } from '@rackfair/core'
import { contractCall, type MarketAddresses, quoteOrder, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import type { Chain } from '@rackfair/testkit'
import { type Account, createPublicClient, createWalletClient, http, keccak256, parseEventLogs, stringToBytes } from 'viem'
import type { LocalAccount } from 'viem/accounts'

export const MONTH_SECONDS = 2_592_000

/** What a buyer and the local market's faucet do on a test chain, with real transactions. */
export async function createTestBuyer(chain: Chain) {
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0, pollingInterval: 100 })
  const addresses: MarketAddresses = await readAddresses(client, chain.deployment.access)
  const send = async (account: LocalAccount, call: ReturnType<typeof contractCall>) => {
    const writer = createWalletClient({ account: account as Account, transport: http(chain.rpcUrl) })
    return waitForReceipt(client, await sendCall(client, writer, call, account))
  }
  const { faucet, user } = chain.accounts
  let lastTime = 0

  return {
    client,
    addresses,
    send,
    /** Credit as the faucet gives it. */
    fund: (to: `0x${string}`, wei: bigint) => send(faucet, contractCall(addresses, 'credit', 'transfer', [to, wei])),
    async buy(provider: `0x${string}`, nodeId: bigint, months = 1, buyer: LocalAccount = user): Promise<bigint> {
      const duration = months * MONTH_SECONDS
      const { feeWei, rev } = await quoteOrder(client, addresses, provider, nodeId, duration)
      await send(buyer, contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
      const receipt = await send(
        buyer,
        contractCall(addresses, 'market', 'createOrder', [{ provider, nodeId, rev, duration, maxFee: feeWei, app: '' }]),
      )
      const [created] = parseEventLogs({ abi: marketAbi, eventName: 'OrderCreated', logs: receipt.logs })
      if (!created) throw new Error('no order was created')
      return created.args.id
    },
    cancel: (orderId: bigint, buyer: LocalAccount = user) =>
      send(buyer, contractCall(addresses, 'market', 'userCancel', [orderId])),
    /** A signed request as the web makes it; `change` spoils it for a test. */
    async sign(
      facts: {
        orderId: bigint
        deployId: number
        provider: string
        env?: Record<string, string>
        app?: string
        time?: number
        wallet?: string
        chainId?: number
      },
      signer: LocalAccount = user,
    ) {
      const now = Math.floor(Date.now() / 1000)
      lastTime = Math.max(now, lastTime + 1)
      const { env, app } = facts
      const text = formatDeployText({
        orderId: facts.orderId,
        deployId: facts.deployId,
        time: facts.time ?? lastTime,
        wallet: facts.wallet ?? signer.address,
        provider: facts.provider,
        chainId: facts.chainId ?? chain.chainId,
        ...(env ? { envHash: keccak256(stringToBytes(envText(env))) } : {}),
        ...(app === undefined ? {} : { appHash: keccak256(stringToBytes(app)) }),
      })
      return {
        text,
        signature: await signer.signMessage({ message: text }),
        ...(env ? { env } : {}),
        ...(app === undefined ? {} : { app }),
      }
    },
  }
}
export type TestBuyer = Awaited<ReturnType<typeof createTestBuyer>>
