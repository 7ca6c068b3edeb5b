import {
  addNodeCall,
  buyOrder,
  type ContractCall,
  contractCall,
  createApi,
  pledgeCall,
  readAddresses,
  registerCall,
  sendCall,
  waitForReceipt,
} from '@rackfair/sdk'
import type { RunningMarket } from '@rackfair/testkit'
import { type Account, type Address, createClient, type Hex, http, parseEther } from 'viem'

export type MarketActor = Awaited<ReturnType<typeof marketActor>>

/** An account that acts on the chain without a browser: funded by the faucet, sends calls and waits for their receipts. */
export async function marketActor(market: RunningMarket, account: Account) {
  const client = createClient({ account, transport: http(market.rpcUrl), pollingInterval: 100 })
  const api = createApi({ baseUrl: market.url })
  const { access, chainId } = await api.config()
  for (const hash of (await api.faucet(account.address)).transactionHashes) await waitForReceipt(client, hash as Hex)
  const addresses = await readAddresses(client, access as Address)
  const send = async (call: ContractCall) => waitForReceipt(client, await sendCall(client, client, call))
  return {
    client,
    address: account.address,
    addresses,
    node: NODE,
    send,
    /** Registers, pledges and lists identical nodes. Returns the block of the last call. */
    becomeProvider: async (
      name: string,
      { pledge = '300', nodes = 1, node = NODE, ip = '203.0.113.7', port = 7070 }: ProviderOptions = {},
    ): Promise<bigint> => {
      const amount = parseEther(pledge)
      await send(registerCall(addresses, { name, ip, domain: '', port }))
      await send(contractCall(addresses, 'credit', 'approve', [addresses.pledge, amount]))
      const { blockNumber } = await send(pledgeCall(addresses, amount))
      if (nodes === 0) return blockNumber
      // Nonces order the calls: the receipt of the last one means that all are mined.
      const add = () => sendCall(client, client, addNodeCall(addresses, node))
      let last = await add()
      for (let count = 1; count < nodes; count += 1) last = await add()
      return (await waitForReceipt(client, last)).blockNumber
    },
    /** Buys a node for a month under the current version. Returns the order number. */
    buy: async (provider: Address, nodeId: bigint): Promise<bigint> => {
      const now = await readAddresses(client, addresses.access)
      const { orderId } = await buyOrder({ client, wallet: client, chainId, addresses: now }, { provider, nodeId, months: 1 })
      return orderId
    },
  }
}

type NodeInput = typeof NODE
interface ProviderOptions {
  pledge?: string
  nodes?: number
  node?: NodeInput
  ip?: string
  port?: number
}

const NODE = {
  cpuModel: 'Xeon Silver 4316',
  gpuModel: 'RTX 4090',
  nCPU: 2,
  core: 20,
  nGPU: 2,
  nMEM: 128,
  nDISK: 2000,
  pCPU: parseEther('43'),
  pGPU: parseEther('133'),
  pMEM: parseEther('0.125'),
  pDISK: parseEther('0.006'),
}
