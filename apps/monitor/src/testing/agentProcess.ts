import { readAddresses } from '@rackfair/sdk'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { openAgentSide } from './openAgentSide.ts'

/** The monitors' view of an agent, in a process that can be killed. It uses its parent's clock. */
const [rpcUrl = '', access = '', key = '', provider = '', port = '', file = '', orderId = ''] = process.argv.slice(2)
const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
const addresses = await readAddresses(client, access as Address)
let clock = 0
const side = openAgentSide({
  ...{ client, addresses, provider: provider as Address, port: Number(port), file, now: () => clock },
  signer: () => privateKeyToAccount(key as Hex),
  node: (nodeId) =>
    nodeId === 1n ? { orderId: BigInt(orderId), market: addresses.market, healthy: true, runs: undefined } : undefined,
})
process.on('message', (now: number) => {
  clock = now
  process.send?.('done')
})
await side.open()
process.send?.('ready')
