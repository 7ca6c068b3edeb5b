import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { addNodeCall, contractCall, pledgeCall, registerCall, sendCall, waitForReceipt } from '@rackfair/sdk'
import { account, addresses, reader, writer } from './connect.ts'

const pledgeWei = 50n * ONE_CREDIT_WEI
const usd = (cents: bigint) => (cents * ONE_CREDIT_WEI) / 100n

const calls = [
  registerCall(addresses, { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }),
  addNodeCall(addresses, {
    cpuModel: 'Xeon Silver 4316',
    gpuModel: 'RTX 4090',
    nCPU: 1,
    core: 20,
    nGPU: 1,
    nMEM: 64,
    nDISK: 1000,
    pCPU: usd(43_00n),
    pGPU: usd(133_00n),
    pMEM: usd(25n),
    pDISK: usd(8n) / 10n,
  }),
  contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledgeWei]),
  pledgeCall(addresses, pledgeWei),
]
for (const call of calls) {
  await waitForReceipt(reader, await sendCall(reader, writer, call))
  console.log(`${call.functionName} is done`)
}
console.log(`provider ${account.address} offers node 1`)
