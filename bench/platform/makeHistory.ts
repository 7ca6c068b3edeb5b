import { contractAbis } from '@rackfair/sdk'
import { type Chain, startChain } from '@rackfair/testkit'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { type Actor, actorOn, CONDITIONS, NODE } from '../../apps/platform/test/actorOn.ts'

const NODES = 800
/** Enough for a day of each. */
const PLEDGE = parseEther('100000')

/** A chain with about this many events: machines listed, bought, activated, and then switched off and on. */
export async function makeHistory(events: number): Promise<Chain> {
  const chain = await startChain({ blockTime: 0, args: ['--gas-limit', '300000000', '--order', 'fifo'] })
  const act = actorOn(chain)
  const { accounts, deployment } = chain
  const provider = accounts.provider.address
  await act.becomeProvider()
  await act.send(accounts.faucet, 'credit', 'transfer', [provider, PLEDGE])
  await act.send(accounts.provider, 'credit', 'approve', [deployment.pledge, PLEDGE])
  await act.send(accounts.provider, 'pledge', 'pledge', [deployment.credit, PLEDGE])
  await act.send(accounts.faucet, 'credit', 'transfer', [accounts.user.address, parseEther('100000000')])
  await act.send(accounts.user, 'credit', 'approve', [deployment.market, parseEther('100000000')])
  const add = encodeFunctionData({ abi: contractAbis.registry, functionName: 'add_node', args: [NODE] })
  await sendAll(chain, act, provider, deployment.registry, Array(NODES).fill(add), 400_000)
  const orders = Array.from({ length: NODES }, (_, index) => {
    const quote = { rev: 1, duration: 2_592_000, maxFee: parseEther('10000'), conditions: CONDITIONS }
    const order = { provider, nodeId: BigInt(index + 1), ...quote, app: 'nginx' }
    return encodeFunctionData({ abi: contractAbis.market, functionName: 'createOrder', args: [order] })
  })
  await sendAll(chain, act, accounts.user.address, deployment.market, orders, 500_000)
  const activations = orders.map((_, index) =>
    encodeFunctionData({ abi: contractAbis.market, functionName: 'activate', args: [BigInt(index + 1)] }),
  )
  await sendAll(chain, act, provider, deployment.market, activations, 200_000)
  const rest = Math.max(0, events - NODES * 4)
  const switches = Array.from({ length: rest }, (_, index) => {
    const args = [provider, BigInt((index % NODES) + 1), Math.floor(index / NODES) % 2 === 1] as const
    return encodeFunctionData({ abi: contractAbis.registry, functionName: 'setOnline', args })
  })
  await sendAll(chain, act, provider, deployment.registry, switches, 100_000)
  const sold = await act.client.readContract({ address: deployment.market, abi: contractAbis.market, functionName: 'lastId' })
  if (sold !== BigInt(NODES)) throw new Error(`${sold} of ${NODES} machines were sold`)
  for (let mined = 0; mined < 257; mined += 16) await act.rpc('anvil_mine', ['0x10'])
  return chain
}

/** Unsigned, in batches, mined in full blocks: twenty thousand transactions in seconds. */
async function sendAll(chain: Chain, act: Actor, from: string, to: string, calls: readonly Hex[], gas: number): Promise<void> {
  await act.rpc('evm_setAutomine', [false])
  const nonce = Number(await act.rpc('eth_getTransactionCount', [from, 'latest']))
  for (let start = 0; start < calls.length; start += 250) {
    const batch = calls.slice(start, start + 250).map((data, index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'eth_sendTransaction',
      params: [{ from, to, data, gas: `0x${gas.toString(16)}`, nonce: `0x${(nonce + start + index).toString(16)}` }],
    }))
    await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(batch) })
    await act.rpc('evm_mine')
  }
  await act.rpc('evm_setAutomine', [true])
}
