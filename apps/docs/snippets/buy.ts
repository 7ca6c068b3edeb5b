import { monthsToSeconds } from '@rackfair/core'
import {
  contractCall,
  createdOrderId,
  creditPermitMessage,
  permitArgument,
  quoteOrder,
  sendCall,
  waitForReceipt,
} from '@rackfair/sdk'
import type { Address } from 'viem'
import { account, addresses, reader, writer } from './connect.ts'

const provider = process.argv[2] as Address
const nodeId = BigInt(process.argv[3] ?? 1)
const duration = monthsToSeconds(1)

const { feeWei, rev } = await quoteOrder(reader, addresses, provider, nodeId, duration)
const deadline = BigInt(Math.floor(Date.now() / 1000) + 1800)
const chainId = await reader.getChainId()
const message = await creditPermitMessage(reader, addresses, {
  owner: account.address,
  spender: addresses.market,
  valueWei: feeWei,
  deadline,
  chainId,
})
const permit = permitArgument(feeWei, deadline, await account.signTypedData(message))

// `rev` and `maxFee` pin what was quoted: a node or a price that changed meanwhile reverts instead of costing more.
const order = { provider, nodeId, rev, duration, maxFee: feeWei, app: '' }
const hash = await sendCall(reader, writer, contractCall(addresses, 'market', 'createOrderWithPermit', [order, permit]))
const receipt = await waitForReceipt(reader, hash)
console.log(`order ${createdOrderId(receipt)} for ${feeWei} wei, in block ${receipt.blockNumber}`)
