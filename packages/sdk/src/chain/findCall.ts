import { marketAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import {
  type Address,
  decodeEventLog,
  decodeFunctionData,
  type Hash,
  type Hex,
  isAddressEqual,
  isHash,
  numberToHex,
  pad,
  type Transaction,
} from 'viem'
import { getBlockNumber, getTransaction } from 'viem/actions'
import type { ChainReader } from './ChainReader.ts'

/** A call as a wallet takes it. */
export interface SentCall {
  to: Address
  data: Hex
  value?: bigint | undefined
}

/** Blocks of one question for logs: public endpoints answer no longer ranges. */
const BLOCKS = 5000n
/** Transactions of an account that are looked at, the newest first. */
const MOST = 50

/** A log as the chain's RPC gives it. */
interface RawLog {
  topics: [Hex, ...Hex[]]
  data: Hex
  address: Address
  transactionHash: Hash
  blockNumber: Hex
}

/**
 * The mined transaction by which an account made a call, whoever sent it and whatever hash the wallet named: it is found by the events that
 * name the account, and known by the call that it carries, or by the order that it created. `undefined` if there is none since the block.
 *
 * @throws what the chain's RPC throws. That nothing is found proves nothing of later blocks.
 * @example const hash = await findCall(client, account, { to: addresses.market, data }, blockBefore)
 */
export async function findCall(
  client: ChainReader,
  from: Address,
  call: SentCall,
  sinceBlock: bigint,
): Promise<Hash | undefined> {
  const latest = await getBlockNumber(client, { cacheTime: 0 })
  const account = pad(lowerCaseAddress(from))
  for (let high = latest; high >= sinceBlock && high >= 0n; high -= BLOCKS) {
    const low = high - BLOCKS + 1n > sinceBlock ? high - BLOCKS + 1n : sinceBlock
    const range = { fromBlock: numberToHex(low), toBlock: numberToHex(high) }
    const found = await Promise.all(
      [1, 2, 3].map((place) =>
        client.request({ method: 'eth_getLogs', params: [{ ...range, topics: [...Array(place).fill(null), account] }] }),
      ),
    )
    const logs = (found.flat() as unknown as RawLog[]).sort((one, two) => Number(two.blockNumber) - Number(one.blockNumber))
    for (const hash of [...new Set(logs.map(({ transactionHash }) => transactionHash))]
      .filter((one) => isHash(one))
      .slice(0, MOST)) {
      if (logs.some((log) => log.transactionHash === hash && isOrderOf(log, from, call))) return hash
      if (carries(await getTransaction(client, { hash }), from, call)) return hash
    }
  }
  return undefined
}

/** Whether a transaction is this very call, or hands it on: as a batch, or for a contract account. */
export function carries(
  transaction: Pick<Transaction, 'from' | 'to' | 'input' | 'value'>,
  from: Address,
  call: SentCall,
): boolean {
  const { to, input, value } = transaction
  const isItself = to !== null && isAddressEqual(to, call.to) && input.toLowerCase() === call.data.toLowerCase()
  if (isItself) return isAddressEqual(transaction.from, from) && value === (call.value ?? 0n)
  return call.data.length > 10 && input.toLowerCase().includes(call.data.slice(2).toLowerCase())
}

/** A wallet may hand a call on in a form that does not show it; the order shows whose it is, and on which machine. */
function isOrderOf(log: RawLog, from: Address, call: SentCall): boolean {
  if (!isAddressEqual(log.address, call.to)) return false
  try {
    const { functionName, args } = decodeFunctionData({ abi: marketAbi, data: call.data })
    if (functionName !== 'createOrder' && functionName !== 'createOrderWithPermit') return false
    const order = decodeEventLog({ abi: marketAbi, eventName: 'OrderCreated', topics: log.topics, data: log.data }).args
    const { provider, nodeId, rev, duration } = args[0]
    const isSame = order.nodeId === nodeId && order.rev === rev && order.duration === duration
    return isSame && isAddressEqual(order.user, from) && isAddressEqual(order.provider, provider)
  } catch {
    return false
  }
}
