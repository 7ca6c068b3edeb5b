import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit } from '@rackfair/rules/money'
import { cancelOrder, previewCancel } from '@rackfair/sdk'
import { addresses, reader, writer } from './connect.ts'

const orderId = BigInt(process.argv[2] ?? 1)
const payer = { client: reader, addresses, chainId: await reader.getChainId(), wallet: writer }

try {
  const preview = await previewCancel(payer, orderId)
  console.log(`back to the buyer: ${formatCredit(preview.toUser)} Credit`)
  console.log(`to the provider: ${formatCredit(preview.toProvider)} Credit`)

  const { refundedWei } = await cancelOrder(payer, orderId)
  console.log(`order ${orderId} is closed, ${formatCredit(refundedWei)} Credit came back`)
} catch (error) {
  if (!(error instanceof AppError)) throw error
  console.log(`refused: ${error.code} ${JSON.stringify(error.facts)}`)
}
