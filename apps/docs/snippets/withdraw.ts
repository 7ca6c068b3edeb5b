import { formatCredit } from '@rackfair/rules/money'
import { readEarnings, sendCall, waitForReceipt, withdrawCalls } from '@rackfair/sdk'
import { account, addresses, reader, writer } from './connect.ts'

// Orders live out their life in the Market they were bought from, so an earlier one may still hold earnings.
const earnings = await readEarnings(reader, addresses, account.address)
for (const { market, earnedWei } of earnings) console.log(`${formatCredit(earnedWei)} Credit in ${market}`)

for (const call of withdrawCalls(addresses, earnings)) {
  await waitForReceipt(reader, await sendCall(reader, writer, call))
  console.log(`withdrawn from ${call.address}`)
}
