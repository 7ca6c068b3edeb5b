import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { buyOrder, quote } from '@rackfair/sdk'
import type { Address } from 'viem'
import { addresses, reader, writer } from './connect.ts'

const purchase = { provider: process.argv[2] as Address, nodeId: Number(process.argv[3] ?? 1), months: 1 }
const payer = { client: reader, addresses, chainId: await reader.getChainId(), wallet: writer }

const seen = await quote(payer, purchase)
console.log(`it costs ${seen.feeWei} wei of Credit`)

// A machine or a price that changed since the quote reverts instead of costing more.
const { orderId, feeWei, block } = await buyOrder(payer, purchase, {
  quote: seen,
  maxPriceWei: 500n * ONE_CREDIT_WEI,
  onSent: ({ hash }) => console.log(`sent ${hash}`),
})
console.log(`order ${orderId} for ${feeWei} wei, in block ${block}`)
