import { AppError } from '@rackfair/rules/errors/AppError'
import { type ErrorCode, findCall, type SentCall, toAppError, waitForReceipt, withGasMargin } from '@rackfair/sdk'
import { type Address, encodeFunctionData, type Hash, numberToHex, type TransactionReceipt } from 'viem'
import { call as callChain, estimateGas, getBlockNumber, getCode, getTransactionCount, sendTransaction } from 'viem/actions'
import { getConnection, getConnectorClient } from 'wagmi/actions'
import { noteBlock } from '../../../platform/api/knownBlock.ts'
import { queryClient } from '../../../platform/api/queryClient.ts'
import type { Market } from '../../market.ts'
import type { Call, SendOptions, SendState } from '../../transactionTypes.ts'
import { marketQuery } from '../../useMarket.ts'
import { noteUnable } from '../connection/abilities.ts'
import { getRuntime } from '../connection/getRuntime.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import type { FollowOptions } from './follow.ts'
import { keepFollowing } from './keepFollowing.ts'
import type { PlainCall } from './PlainCall.ts'
import { refreshLive } from './refreshLive.ts'
import type { StoredTransaction, WaitingBatch } from './StoredTransaction.ts'
import { canBatch, providerOf } from './sendBatch.ts'
import { trackBatch } from './trackBatch.ts'
import { trackTransaction } from './trackTransaction.ts'

/** While the wallet is asked, the chain is searched for what it may have sent already, in milliseconds. */
const SEARCH_MS = 5000
/** For so long a transaction is looked for of which the wallet does not say whether it sent it. */
const UNCLEAR_MS = 15_000
/** Errors of a wallet that say that nothing was sent. After any other one it may have been. */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...['user_rejected', 'wallet_unable', 'wallet_locked', 'not_connected', 'wrong_network', 'account_changed', 'insufficient_gas'],
])
/** The same in viem's words: the node refused it. */
const NODE_REFUSED =
  /^(?:Nonce(?:TooLow|TooHigh|MaxValue)|FeeCapToo(?:Low|High)|TipAboveFeeCap|IntrinsicGasToo(?:Low|High)|TransactionTypeNotSupported|ExecutionReverted|InvalidParamsRpc|InvalidRequestRpc|ParseRpc|ResourceUnavailableRpc|ContractFunctionReverted)Error$/

/** Sends one call or several; see `useTransaction`. @throws AppError */
export async function sendCalls(
  calls: readonly Call[],
  options: SendOptions,
  onState: (state: SendState) => void,
): Promise<TransactionReceipt> {
  try {
    const runtime = await getRuntime()
    const market = await queryClient.ensureQueryData(marketQuery)
    const from = requireAccount(runtime, market.chainId)
    const plain = calls.map(plainCall)
    const sending: Sending = { runtime, market, from, options, onState }
    const receipt = await sendAll(sending, plain)
    noteBlock(receipt.blockNumber)
    refreshLive()
    return receipt
  } catch (error) {
    throw toAppError(error)
  }
}

interface Sending {
  runtime: WalletRuntime
  market: Market
  from: Address
  options: SendOptions
  onState: (state: SendState) => void
}

async function sendAll(sending: Sending, calls: readonly PlainCall[]): Promise<TransactionReceipt> {
  const { runtime, market, from, options } = sending
  const batch = calls.length > 1 && (await canBatch(runtime.wagmi, from))
  requireAccount(runtime, market.chainId, from)
  if (batch) {
    try {
      return await sendAsOne(sending, calls)
    } catch (error) {
      if (toAppError(error).code !== 'wallet_unable' || options.onlyAtOnce) throw error
    }
  } else if (calls.length > 1 && options.onlyAtOnce)
    throw new AppError<ErrorCode>('wallet_unable', 'The wallet does not carry out several calls as one')
  return sendOneByOne(sending, calls)
}

async function sendAsOne(sending: Sending, calls: readonly PlainCall[]): Promise<TransactionReceipt> {
  const { runtime, market, from, options, onState } = sending
  const { chainId, client } = market
  onState({ phase: 'wallet', step: 1, steps: 1 })
  const last = calls.at(-1) as PlainCall
  const traces = await tracesOf(market, from, last)
  const request = {
    ...{ version: '2.0.0', chainId: numberToHex(chainId), from, atomicRequired: true },
    calls: calls.map(({ to, data, value }) => ({ to, data, ...(value === 0n ? {} : { value: numberToHex(value) }) })),
  }
  const ask = async () => {
    const provider = await providerOf(runtime.wagmi)
    return (await provider?.request({ method: 'wallet_sendCalls', params: [request] })) as { id: string }
  }
  const answer = await searched(sending, ask(), last, traces).catch((error: unknown) => {
    const { code } = toAppError(error)
    if (code !== 'user_rejected' && code !== 'wallet_locked') forgetBatches(runtime, from)
    throw error
  })
  if ('unclear' in answer) forgetBatches(runtime, from)
  if ('hash' in answer || 'unclear' in answer) return endOf(sending, answer, traces, { step: 1, steps: 1 })
  const batch: WaitingBatch = { id: answer.given.id, description: options.description, ...traces }
  runtime.transactions.batches.add(from, chainId, batch)
  onState({ phase: 'submitted', step: 1, steps: 1, hash: undefined })
  return followed(
    (more) => trackBatch(runtime, client, from, chainId, batch, more),
    (receipt) => onState({ phase: 'submitted', step: 1, steps: 1, hash: receipt.transactionHash }),
  )
}

const forgetBatches = ({ wagmi }: WalletRuntime, account: Address) =>
  noteUnable(getConnection(wagmi).connector?.id ?? '', account, 'batch')

async function sendOneByOne(sending: Sending, calls: readonly PlainCall[]): Promise<TransactionReceipt> {
  const { runtime, market, from, options, onState } = sending
  let last: TransactionReceipt | undefined
  for (const [index, call] of calls.entries()) {
    const progress = { step: index + 1, steps: calls.length }
    onState({ phase: 'wallet', ...progress })
    // The chain is asked first, so that a revert is known before anybody signs.
    await callChain(market.client, { account: from, ...call })
    const gas = withGasMargin(await estimateGas(market.client, { account: from, ...call }))
    const traces = await tracesOf(market, from, call)
    requireAccount(runtime, market.chainId, from)
    const writer = await getConnectorClient(runtime.wagmi, { chainId: market.chainId, account: from })
    const work = sendTransaction(writer, { ...call, gas, account: writer.account, chain: writer.chain })
    const answer = await searched(sending, work, call, traces)
    if ('given' in answer) {
      const hash = answer.given
      onState({ phase: 'submitted', ...progress, hash })
      const { description, confirmations } = options
      const sent = { hash, description, ...(confirmations === undefined ? {} : { confirmations }), ...traces }
      runtime.transactions.add(from, market.chainId, sent)
      last = await followed((more) => trackTransaction(runtime, market.client, from, market.chainId, sent, more))
    } else last = await endOf(sending, answer, traces, progress)
  }
  if (!last) throw new AppError<ErrorCode>('bad_request', 'There is nothing to send')
  return last
}

type Traces = Pick<StoredTransaction, 'sinceBlock' | 'firstNonce' | 'to' | 'data' | 'value'>

/** What the call is found by on the chain, read before the wallet is asked. */
async function tracesOf({ client }: Market, from: Address, call: PlainCall): Promise<Traces> {
  const [sinceBlock, code, nonce] = await Promise.all([
    getBlockNumber(client, { cacheTime: 0 }),
    getCode(client, { address: from }),
    getTransactionCount(client, { address: from }),
  ])
  const isOrdinary = code === undefined || code.startsWith('0xef0100')
  return {
    ...{ sinceBlock: String(sinceBlock), to: call.to, data: call.data },
    ...(call.value === 0n ? {} : { value: String(call.value) }),
    ...(isOrdinary ? { firstNonce: nonce } : {}),
  }
}

type Answer<Given> = { given: Given } | { hash: Hash } | { unclear: AppError<ErrorCode> }

/**
 * The wallet's answer, or the transaction that the chain shows before it has one: a wallet may never answer. `unclear` where it fails in a
 * way that does not say that nothing was sent. @throws AppError where nothing was sent
 */
async function searched<Given>(
  { market, from }: Sending,
  work: Promise<Given>,
  call: SentCall,
  traces: Traces,
): Promise<Answer<Given>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const found = new Promise<{ hash: Hash }>((resolve) => {
    const look = async () => {
      const hash = await findCall(market.client, from, call, BigInt(traces.sinceBlock ?? 0)).catch(() => undefined)
      if (hash) resolve({ hash })
      else if (!isOver) timer = setTimeout(() => void look(), SEARCH_MS)
    }
    timer = setTimeout(() => void look(), SEARCH_MS)
  })
  try {
    return await Promise.race([work.then((given) => ({ given })), found])
  } catch (error) {
    const known = toAppError(error)
    if (NOT_SENT.has(known.code) || isRefusedByNode(error)) throw known
    // A revert that the contract explains was found before anything was sent.
    if (known.code !== 'unknown' && !['transaction_unknown', 'wallet_silent', 'rpc_unreachable'].includes(known.code)) throw known
    return { unclear: known }
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

function isRefusedByNode(error: unknown): boolean {
  for (let link: unknown = error, depth = 0; link instanceof Error && depth < 16; link = link.cause, depth += 1)
    if (NODE_REFUSED.test(link.name)) return true
  return false
}

/** The end of what the wallet may have sent without naming it. @throws AppError `transaction_unknown` while nobody knows */
async function endOf(
  { runtime, market, from, options, onState }: Sending,
  answer: { hash: Hash } | { unclear: AppError<ErrorCode> },
  traces: Traces,
  progress: { step: number; steps: number },
): Promise<TransactionReceipt> {
  const { chainId, client } = market
  const { description } = options
  if ('hash' in answer) {
    onState({ phase: 'submitted', ...progress, hash: answer.hash })
    runtime.transactions.add(from, chainId, { hash: answer.hash, description, ...traces })
    runtime.transactions.settle(from, chainId, answer.hash, 'confirmed')
    return waitForReceipt(client, answer.hash)
  }
  const batch: WaitingBatch = { id: `unnamed ${crypto.randomUUID()}`, description, unnamed: true, ...traces }
  runtime.transactions.batches.add(from, chainId, batch)
  onState({ phase: 'submitted', ...progress, hash: undefined })
  try {
    return await followed((more) => trackBatch(runtime, client, from, chainId, batch, more), undefined, UNCLEAR_MS)
  } catch (error) {
    if (toAppError(error).code === 'transaction_reverted') throw error
    throw new AppError<ErrorCode>('transaction_unknown', answer.unclear.message, { cause: answer.unclear, retryable: true })
  }
}

/** Follows it, first for the one who waits, and after that for the account. */
async function followed(
  track: (options: FollowOptions) => Promise<TransactionReceipt>,
  onReceipt?: (receipt: TransactionReceipt) => void,
  timeoutMs?: number,
): Promise<TransactionReceipt> {
  try {
    const receipt = await track(timeoutMs === undefined ? {} : { timeoutMs, pollMs: 1000 })
    onReceipt?.(receipt)
    return receipt
  } catch (error) {
    if (['transaction_timeout', 'transaction_unknown'].includes(toAppError(error).code))
      void keepFollowing(track, { pollMs: 15_000 })
    throw error
  }
}

/** The account of the wallet, which a person may change at any time. @throws AppError when the wallet cannot send, or no longer for `begunBy` */
function requireAccount({ wagmi }: WalletRuntime, chainId: number, begunBy?: Address): Address {
  const connection = getConnection(wagmi)
  if (connection.status !== 'connected') throw new AppError<ErrorCode>('not_connected', 'No wallet is connected')
  if (connection.chainId !== chainId)
    throw new AppError<ErrorCode>('wrong_network', `The wallet is on chain ${connection.chainId}`)
  if (begunBy !== undefined && connection.address !== begunBy)
    throw new AppError<ErrorCode>('account_changed', `It was begun by ${begunBy}, the wallet now has ${connection.address}`)
  return connection.address
}

function plainCall(call: Call): PlainCall {
  if ('to' in call) return { to: call.to, data: call.data ?? '0x', value: call.value ?? 0n }
  return { to: call.address, data: encodeFunctionData(call), value: 0n }
}
