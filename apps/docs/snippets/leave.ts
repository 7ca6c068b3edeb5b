import { AppError, formatCredit } from '@rackfair/core'
import { contractCall, marketOf, quoteCancel, sendCall, waitForReceipt } from '@rackfair/sdk'
import { addresses, reader, writer } from './connect.ts'

const orderId = BigInt(process.argv[2] ?? 1)

try {
  const quote = await quoteCancel(reader, addresses, orderId, false)
  console.log(`back to the buyer: ${formatCredit(quote.toUser)} Credit`)
  console.log(`to the provider: ${formatCredit(quote.toProvider)} Credit`)

  // An order lives in the Market it was bought from, also after a newer one was published.
  const market = await marketOf(reader, addresses.access, orderId)
  const cancel = contractCall(addresses, 'market', 'userCancel', [orderId], market)
  await waitForReceipt(reader, await sendCall(reader, writer, cancel))
  console.log(`order ${orderId} is closed`)
} catch (error) {
  if (!(error instanceof AppError)) throw error
  console.log(`refused: ${error.code} ${JSON.stringify(error.facts)}`)
}
