import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  addNodeCall,
  connectMarket,
  contractCall,
  pledgeCall,
  registerCall,
  sendCall,
  waitForReceipt,
  withAccount,
} from '@rackfair/sdk'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Becomes a provider: registers, lists one machine, pledges 50 Credit. The agent then does the rest. */
const market = await connectMarket({ platform: process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000' })
const { client, wallet, addresses } = withAccount(market, privateKeyToAccount(process.env.RACKFAIR_KEY as Hex))

const usd = (cents: bigint) => (cents * ONE_CREDIT_WEI) / 100n
const hardware = { cpuModel: 'Xeon Silver 4316', gpuModel: 'RTX 4090', nCPU: 1, core: 20, nGPU: 1, nMEM: 64, nDISK: 1000 }
const prices = { pCPU: usd(43_00n), pGPU: usd(133_00n), pMEM: usd(25n), pDISK: usd(8n) / 10n }
for (const call of [
  registerCall(addresses, { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }),
  addNodeCall(addresses, { ...hardware, ...prices }),
  contractCall(addresses, 'credit', 'approve', [addresses.pledge, usd(50_00n)]),
  pledgeCall(addresses, usd(50_00n)),
])
  await waitForReceipt(client, await sendCall(client, wallet, call))
console.log(`${wallet.account.address} offers node 1`)
