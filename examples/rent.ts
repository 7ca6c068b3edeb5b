import { formatCredit } from '@rackfair/rules/money'
import { buyOrder, cancelOrder, connectMarket, deployApp, searchNodes, withAccount } from '@rackfair/sdk'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Finds the cheapest idle machine, buys it, deploys nginx, visits it, and leaves. */
const market = await connectMarket({ platform: process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000' })
const renter = withAccount(market, privateKeyToAccount(process.env.RACKFAIR_KEY as Hex))

const { nodes } = await searchNodes(market, { idle: true, sort: 'price', runs: 'nginx' })
const node = nodes.find(({ blocker }) => blocker === undefined)
if (!node) throw new Error('no machine can be bought now')
console.log(`${node.name}: ${node.cpu.count} CPU, ${node.gpu.count} GPU, ${formatCredit(node.ratePerMonthWei)} USD a month`)

// One signature and one transaction, which reverts if it would cost more than this or if the machine was changed meanwhile.
const { orderId, feeWei, block } = await buyOrder(renter, { ...node, months: 1 }, { maxPriceWei: node.ratePerMonthWei })
console.log(`order ${orderId} for ${formatCredit(feeWei)} USD`)
try {
  const { visitUrl } = await deployApp(renter, orderId, { preset: 'nginx' }, { minBlock: block })
  if (visitUrl) console.log(`${visitUrl} answers ${(await fetch(visitUrl)).status}`)
} finally {
  // What was not used comes back, to the last digit, whatever happened.
  const { refundedWei } = await cancelOrder(renter, orderId)
  console.log(`${formatCredit(refundedWei)} USD came back`)
}
