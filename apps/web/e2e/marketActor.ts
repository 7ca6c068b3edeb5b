import { contractCall, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import type { RunningMarket } from '@rackfair/testkit'
import { type Account, type Address, createClient, http, parseEther } from 'viem'

/** Somebody who acts on the chain without a browser: funded by the faucet, sends calls and waits for their receipts. */
export async function marketActor(market: RunningMarket, account: Account) {
  const client = createClient({ account, transport: http(market.rpcUrl), pollingInterval: 100 })
  const config = (await (await fetch(`${market.url}/v1/config`)).json()) as { access: Address }
  const addresses = await readAddresses(client, config.access)
  const faucet = await fetch(`${market.url}/v1/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account.address }),
  })
  if (!faucet.ok) throw new Error(`The faucet answered ${faucet.status}: ${await faucet.text()}`)
  const { transactionHashes } = (await faucet.json()) as { transactionHashes: `0x${string}`[] }
  for (const hash of transactionHashes) await waitForReceipt(client, hash)

  const send = async (call: Parameters<typeof sendCall>[2]) => waitForReceipt(client, await sendCall(client, client, call))
  return {
    client,
    addresses,
    send,
    /** Registers, lists one node and pledges. */
    becomeProvider: async (name: string, options: { pledge?: string } = {}) => {
      const amount = parseEther(options.pledge ?? '5')
      await send(contractCall(addresses, 'registry', 'register', [{ name, ip: '203.0.113.7', domain: '', port: 7070 }]))
      await send(contractCall(addresses, 'registry', 'add_node', [NODE]))
      await send(contractCall(addresses, 'credit', 'approve', [addresses.pledge, amount]))
      await send(contractCall(addresses, 'pledge', 'pledge', [addresses.credit, amount]))
    },
  }
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
