import { developmentAccounts, startChain } from '@rackfair/testkit'
import { type Account, createTestClient, createWalletClient, type Hex, http, type Log, publicActions, walletActions } from 'viem'
import { expect } from 'vitest'
import { creditAbi, marketAbi, pledgeAbi, registryAbi } from '../ts/index.ts'
import { receiptOf } from '../ts/receiptOf.ts'

/** A chain of its own that mines at once, with the market on it, and what a test sends to it and reads from it. */
export async function openChain() {
  const chain = await startChain({ blockTime: 0 })
  const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl), pollingInterval: 5, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const wallet = createWalletClient({ transport: http(chain.rpcUrl) })
  const market = { address: chain.deployment.market, abi: marketAbi } as const
  const registry = { address: chain.deployment.registry, abi: registryAbi } as const
  const pledge = { address: chain.deployment.pledge, abi: pledgeAbi } as const
  const credit = { address: chain.deployment.credit, abi: creditAbi } as const
  const logs: Log[] = []

  return {
    ...{ client, wallet, market, registry, pledge, credit },
    access: chain.deployment.access,
    accounts: developmentAccounts(),
    chainId: chain.chainId,
    stop: () => chain.stop(),
    /** Every log of the Market so far. */
    logs,
    // An estimate is made on the last block's clock; interest that has come due since would not fit.
    common: { chain: null, gas: 2_000_000n } as const,

    /** Waits until a transaction has succeeded, and says at what time. */
    async send(hash: Promise<Hex>): Promise<number> {
      const receipt = await receiptOf(client, await hash, 2)
      expect(receipt.status).toBe('success')
      logs.push(...receipt.logs.filter((log) => log.address.toLowerCase() === market.address.toLowerCase()))
      return Number((await client.getBlock({ blockNumber: receipt.blockNumber })).timestamp)
    },
    now: async () => Number((await client.getBlock()).timestamp),
    balance: (account: Account) => client.readContract({ ...credit, functionName: 'balanceOf', args: [account.address] }),
    read: (id: bigint) => client.readContract({ ...market, functionName: 'getOrder', args: [id] }),
  }
}
