import { AppError } from '@rackfair/core'
import { type ErrorCode, toAppError, withGasMargin } from '@rackfair/sdk'
import { type Address, encodeFunctionData, type TransactionReceipt } from 'viem'
import { call as callChain, estimateGas, getBlockNumber, sendTransaction } from 'viem/actions'
import { getConnection, getConnectorClient } from 'wagmi/actions'
import { noteBlock } from '../../../lib/knownBlock.ts'
import { queryClient } from '../../../lib/queryClient.ts'
import type { Market } from '../../market.ts'
import type { Call, SendOptions, SendState } from '../../transactionTypes.ts'
import { marketQuery } from '../../useMarket.ts'
import { getRuntime } from '../connection/getRuntime.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import type { PlainCall } from './PlainCall.ts'
import { refreshLive } from './refreshLive.ts'
import { canBatch, sendBatch } from './sendBatch.ts'
import { trackTransaction } from './trackTransaction.ts'

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
    const batch = plain.length > 1 && (await canBatch(runtime.wagmi, from))
    requireAccount(runtime, market.chainId, from)
    const receipt = batch
      ? await sendBatch(runtime, market, from, plain, options, onState)
      : await sendOneByOne(runtime, market, from, plain, options, onState)
    noteBlock(receipt.blockNumber)
    refreshLive()
    return receipt
  } catch (error) {
    throw toAppError(error)
  }
}

async function sendOneByOne(
  runtime: WalletRuntime,
  market: Market,
  from: Address,
  calls: readonly PlainCall[],
  options: SendOptions,
  onState: (state: SendState) => void,
): Promise<TransactionReceipt> {
  let last: TransactionReceipt | undefined
  for (const [index, call] of calls.entries()) {
    const progress = { step: index + 1, steps: calls.length }
    onState({ phase: 'wallet', ...progress })
    // The chain is asked first, so that a revert is known before anybody signs.
    await callChain(market.client, { account: from, ...call })
    const gas = withGasMargin(await estimateGas(market.client, { account: from, ...call }))
    const sinceBlock = await getBlockNumber(market.client, { cacheTime: 0 })
    requireAccount(runtime, market.chainId, from)
    const writer = await getConnectorClient(runtime.wagmi, { chainId: market.chainId, account: from })
    const hash = await sendTransaction(writer, { ...call, gas, account: writer.account, chain: writer.chain })
    onState({ phase: 'submitted', ...progress, hash })
    const { description, confirmations } = options
    const sent = {
      hash,
      description,
      ...(confirmations === undefined ? {} : { confirmations }),
      sinceBlock: String(sinceBlock),
      to: call.to,
      data: call.data,
    }
    runtime.transactions.add(from, market.chainId, sent)
    last = await trackTransaction(runtime, market.client, from, market.chainId, sent)
  }
  if (!last) throw new AppError<ErrorCode>('bad_request', 'There is nothing to send')
  return last
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
  return { to: call.address, data: encodeFunctionData(call as never), value: 0n }
}
