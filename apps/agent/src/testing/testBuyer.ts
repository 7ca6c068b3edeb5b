import { marketAbi } from '@rackfair/contracts'
import { formatDeployText } from '@rackfair/protocol/deployText'
import { buyOrder, contractCall, type MarketAddresses, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import { sealDeployText } from '@rackfair/sdk/deploy'
import type { PublicKeys } from '@rackfair/sealed'
import type { Chain } from '@rackfair/testkit'
import { type Account, createPublicClient, createWalletClient, http, keccak256, stringToBytes } from 'viem'
import type { LocalAccount } from 'viem/accounts'

export const MONTH_SECONDS = 2_592_000

/** A buyer and the local market's faucet on a test chain, with real transactions. */
export async function createTestBuyer(chain: Chain) {
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0, pollingInterval: 100 })
  const addresses: MarketAddresses = await readAddresses(client, chain.deployment.access)
  const send = async (account: LocalAccount, call: ReturnType<typeof contractCall>) => {
    const writer = createWalletClient({ account: account as Account, transport: http(chain.rpcUrl) })
    return waitForReceipt(client, await sendCall(client, writer, call, account))
  }
  const { faucet, user } = chain.accounts
  let lastTime = 0
  let agentKeys: PublicKeys | undefined

  return {
    client,
    addresses,
    send,
    /** Credit from the faucet. */
    fund: (to: `0x${string}`, wei: bigint) => send(faucet, contractCall(addresses, 'credit', 'transfer', [to, wei])),
    async buy(provider: `0x${string}`, nodeId: bigint, months = 1, buyer: LocalAccount = user): Promise<bigint> {
      const wallet = createWalletClient({ account: buyer as Account, transport: http(chain.rpcUrl) })
      const { orderId } = await buyOrder({ client, addresses, chainId: chain.chainId, wallet }, { provider, nodeId, months })
      return orderId
    },
    /** The application that the chain was told last for an order, of whichever version of the market. */
    async appOf(id: bigint): Promise<string | undefined> {
      const told = await client.getContractEvents({ abi: marketAbi, eventName: 'AppSet', args: { id }, fromBlock: 0n })
      return told.at(-1)?.args.app
    },
    cancel: (orderId: bigint, buyer: LocalAccount = user) =>
      send(buyer, contractCall(addresses, 'market', 'userCancel', [orderId])),
    /** The key to which environment values of later requests are sealed. */
    sealTo(keys: PublicKeys) {
      agentKeys = keys
    },
    /** A signed request as the web makes it; `change` corrupts it for a test. */
    async sign(
      facts: {
        orderId: bigint
        deployId: number
        provider: string
        env?: Record<string, string>
        app?: string
        onceHash?: string
        time?: number
        wallet?: string
        chainId?: number
      },
      signer: LocalAccount = user,
    ) {
      const now = Math.floor(Date.now() / 1000)
      lastTime = Math.max(now, lastTime + 1)
      const { env, app, onceHash } = facts
      const said = {
        orderId: facts.orderId,
        deployId: facts.deployId,
        time: facts.time ?? lastTime,
        wallet: facts.wallet ?? signer.address,
        provider: facts.provider,
        chainId: facts.chainId ?? chain.chainId,
        ...(app === undefined ? {} : { appHash: keccak256(stringToBytes(app)) }),
        ...(onceHash === undefined ? {} : { onceHash }),
      }
      if (env && !agentKeys) throw new Error('say whom the values are sealed to')
      const { text, sealed } = env && agentKeys ? await sealDeployText(said, env, agentKeys) : { text: formatDeployText(said) }
      return {
        text,
        signature: await signer.signMessage({ message: text }),
        ...(sealed === undefined ? {} : { sealed }),
        ...(app === undefined ? {} : { app }),
      }
    },
  }
}
export type TestBuyer = Awaited<ReturnType<typeof createTestBuyer>>
