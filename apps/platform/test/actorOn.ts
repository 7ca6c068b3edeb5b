import { creditAbi, marketAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'
import { receiptOf } from '@rackfair/contracts/receiptOf'
import { withGasMargin } from '@rackfair/sdk'
import type { Chain } from '@rackfair/testkit'
import { type Abi, createPublicClient, createWalletClient, http, type LocalAccount, parseEther } from 'viem'

export type Actor = ReturnType<typeof actorOn>

/** The conditions under which the market of the development chain sells. */
export const CONDITIONS = { probation: 600, holdback: 86_400, penalty: 86_400, commissionBps: 0 }

export const NODE = {
  cpuModel: 'Xeon Silver 4316',
  gpuModel: 'RTX 4090',
  nCPU: 2,
  core: 20,
  nGPU: 2,
  nMEM: 128,
  nDISK: 2_000,
  pCPU: parseEther('43'),
  pGPU: parseEther('133'),
  pMEM: parseEther('0.5'),
  pDISK: parseEther('0.02'),
}

const ABIS = { registry: registryAbi, pledge: pledgeAbi, market: marketAbi, credit: creditAbi } as const

/** Actions of users on the chain, each as one confirmed transaction. */
export function actorOn(chain: Chain) {
  // No retries: a call that mines or sends must not be repeated because the machine was busy.
  const transport = http(chain.rpcUrl, { timeout: 120_000, retryCount: 0 })
  const client = createPublicClient({ transport, cacheTime: 0 })
  const { accounts, deployment } = chain
  const send = async (account: LocalAccount, contract: keyof typeof ABIS, functionName: string, args: readonly unknown[]) => {
    const wallet = createWalletClient({ account, transport })
    const call = { address: deployment[contract], abi: ABIS[contract] as Abi, functionName, args, chain: null }
    const gas = withGasMargin(await client.estimateContractGas({ ...call, account } as never))
    const receipt = await receiptOf(client, await wallet.writeContract({ ...call, gas }), 5)
    if (receipt.status !== 'success') throw new Error(`${functionName} was reverted`)
    return Number(receipt.blockNumber)
  }
  const rpc = (method: string, params: readonly unknown[] = []) => client.request({ method, params } as never) as Promise<unknown>
  return {
    client,
    send,
    rpc,
    async warp(seconds: number) {
      await rpc('evm_increaseTime', [seconds])
      await rpc('evm_mine')
    },
    /** A registered provider with a pledge and one node. Returns the block. */
    async becomeProvider(account: LocalAccount = accounts.provider, name = 'north') {
      await send(accounts.faucet, 'credit', 'transfer', [account.address, parseEther('1000')])
      await send(account, 'registry', 'register', [{ name, ip: '127.0.0.1', domain: '', port: 7070 }])
      await send(account, 'registry', 'add_node', [NODE])
      await send(account, 'credit', 'approve', [deployment.pledge, parseEther('100')])
      return send(account, 'pledge', 'pledge', [deployment.credit, parseEther('100')])
    },
    /** Buys a node for some months. Returns order id and block. */
    async buy(options: { user?: LocalAccount; provider?: LocalAccount; nodeId?: number; months?: number } = {}) {
      const { user = accounts.user, provider = accounts.provider, nodeId = 1, months = 1 } = options
      const duration = months * 2_592_000
      const [fee, rev, conditions] = await client.readContract({
        address: deployment.market,
        abi: marketAbi,
        functionName: 'quoteOrder',
        args: [provider.address, BigInt(nodeId), duration],
      })
      await send(accounts.faucet, 'credit', 'transfer', [user.address, fee])
      await send(user, 'credit', 'approve', [deployment.market, fee])
      const before = await client.readContract({ address: deployment.market, abi: marketAbi, functionName: 'lastId' })
      const block = await send(user, 'market', 'createOrder', [
        { provider: provider.address, nodeId: BigInt(nodeId), rev, duration, maxFee: fee, conditions, app: 'nginx' },
      ])
      return { id: before + 1n, block, fee }
    },
  }
}
