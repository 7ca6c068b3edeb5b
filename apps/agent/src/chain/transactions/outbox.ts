import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@rackfair/rules/errors/AppError'
import { toAppError, withGasMargin } from '@rackfair/sdk'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  type PublicClient,
  parseTransaction,
  type TransactionSerializable,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import { faultPoint } from '../../foundation/faultPoint.ts'
import type { Log } from '../../foundation/log.ts'
import type { AgentTimes } from '../../foundation/times.ts'
import type { ChainView } from '../read/chainView.ts'
import { type OpenTransactions, openOutboxTable, type Row } from './openOutboxTable.ts'
import { keyOf, type OutboxCall, parseCall, saysThatItIsClean, subjectOf, supersededBy, toContractCall } from './outboxCalls.ts'

const REBROADCAST_POLLS = 40
/** RPC nodes accept a replacement transaction only if it pays more: most require 10 %, some 12.5 %. */
const RAISE_PERCENT = 113n
/**
 * Deploying and cleaning are free signatures for the buyer, while the operator pays for recording them on chain: a running application is
 * recorded immediately a few times per order, and after that only if it still runs some minutes later. A clean is recorded at once: it
 * cannot happen more often than a recorded deployment.
 */
const TOLD_AT_ONCE = 3
const TELL_AGAIN_MS = 5 * 60_000

export interface Outbox {
  /** Requests a transaction. A repeat while it is in flight, or shortly after, is ignored, and so are records beyond the limit above. */
  enqueue(call: OutboxCall): void
  /** Sends all requested calls one after another; resolves when nothing is left to send. */
  flush(): Promise<void>
  /**
   * The application that it told the chain last for an order, '' for none; undefined if it told nothing, or lost its database. The chain
   * keeps the name in events only, so whoever does not know it tells it again.
   */
  told(orderId: bigint): string | undefined
  stop(): void
}

interface OutboxOptions {
  db: DatabaseSync
  chain: ChainView
  provider: Address
  account: LocalAccount
  log: Log
  times: Pick<AgentTimes, 'transactionRetryMs' | 'receiptMs'>
  /** Awaited before the call counts as done, so that nobody acting on stale state requests it again. */
  onDone: (call: OutboxCall) => Promise<void>
}

/**
 * Transactions that survive a crash. The signed bytes are stored before they are broadcast; after a restart the same bytes
 * are broadcast again, so that one request becomes one transaction.
 */
export function createOutbox(options: OutboxOptions): Outbox & { open: () => OpenTransactions[] } {
  const { db, chain, account, log, times } = options
  const table = openOutboxTable(db)
  const toTell = createTokenBuckets({ burst: TOLD_AT_ONCE, refillMs: TELL_AGAIN_MS })
  const failedAtMs = new Map<string, number>()
  let stopped = false
  let running: Promise<void> | undefined

  /** The wall clock may jump; the age of a failure is measured on a monotonic clock. */
  const fail = (key: string, reason: string) => {
    failedAtMs.set(key, performance.now())
    table.fail(key, reason)
  }
  const { send, giveUp, raise } = createSender(options, table, fail)

  const settle = async (row: Row) => {
    const refused = await broadcast(chain.client, row.raw as Hex)
    faultPoint('transactionSent')
    const nonce = row.nonce as number
    const hashes = [row.hash as Hex, ...(JSON.parse(row.cheaper) as Hex[])]
    for (let poll = 0; !stopped; poll += 1) {
      // Counted before the receipt is requested: a used nonce without a receipt belongs to another transaction.
      const used = await chain.client.getTransactionCount({ address: account.address })
      const receipt = await receiptOf(chain.client, hashes)
      if (receipt) {
        const ok = receipt.status === 'success'
        faultPoint('transactionMined')
        await options.onDone(parseCall(row.call))
        if (ok) table.done(row)
        else fail(row.key, 'reverted')
        const facts = { key: row.key, hash: receipt.transactionHash }
        if (ok) log.info('transaction done', facts)
        else log.warn('transaction reverted', facts)
        return
      }
      if (used > nonce) return fail(row.key, 'another transaction took its place')
      if (poll >= REBROADCAST_POLLS) {
        if ((await giveUp(row, refused)) || (await raise(row))) return
        throw new AppError('transaction_timeout', `no receipt yet${refused ? `: ${refused}` : ''}`, { retryable: true })
      }
      await sleep(times.receiptMs)
    }
  }

  const drain = async () => {
    while (!stopped) {
      const row = table.next()
      if (!row) return
      if (row.state === 'wanted') await send(row)
      else await settle(row)
    }
  }

  return {
    enqueue(call) {
      const key = keyOf(call)
      const row = table.get(key)
      if (row?.state === 'wanted' || row?.state === 'sent') return
      if (
        row?.state === 'failed' &&
        performance.now() - (failedAtMs.get(key) ?? -times.transactionRetryMs) < times.transactionRetryMs
      )
        return
      const superseded = supersededBy(call)
      for (const pattern of superseded) table.supersede(pattern, key)
      if (superseded.length > 0 && !saysThatItIsClean(call) && !toTell.take(subjectOf(call))) return
      table.insert(key, call)
    },
    flush() {
      running ??= drain().finally(() => {
        running = undefined
      })
      return running
    },
    ...{ told: table.told, open: table.open },
    stop() {
      stopped = true
    },
  }
}

type Table = ReturnType<typeof openOutboxTable>

/** Signs transactions, and signs again or gives up those that nobody mines. */
function createSender(
  { chain, account, provider, log }: Pick<OutboxOptions, 'chain' | 'account' | 'provider' | 'log'>,
  table: Table,
  fail: (key: string, reason: string) => void,
) {
  const send = async (row: Row) => {
    const call = parseCall(row.call)
    try {
      const target = toContractCall(chain.addresses, provider, call)
      await chain.client.simulateContract({ ...target, account })
      const request = await chain.client.prepareTransactionRequest({
        account,
        chain: null,
        to: target.address,
        data: encodeFunctionData(target),
        nonce: await chain.client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
        chainId: chain.chainId,
      })
      assert(request.to === target.address && !request.value, 'the operator signs calls to contracts, and moves no money')
      const raw = await account.signTransaction({ ...request, gas: withGasMargin(request.gas) } as never)
      table.sent(row.key, { nonce: request.nonce, raw, hash: keccak256(raw) })
      faultPoint('transactionStored')
    } catch (cause) {
      const error = toAppError(cause)
      if (error.retryable) throw error
      fail(row.key, `${error.code}: ${error.message}`)
      log.warn('a transaction was not sent', { key: row.key, code: error.code, reason: error.message })
    }
  }

  /**
   * Gives up a transaction that the node does not hold; whatever the chain then still lacks is requested anew. The node refused or dropped
   * it, or a reorganisation removed a transaction before it that nobody sends again: it would wait for ever and block everything behind it.
   * Its bytes may still be mined: every call is idempotent or reverts the second time.
   */
  const giveUp = async ({ key, nonce }: Row, refused: string | undefined): Promise<boolean> => {
    const expected = await chain.client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    if (expected > (nonce as number)) return false
    const reason =
      expected < (nonce as number) ? 'the chain took back a transaction before it' : (refused ?? 'the node forgot it')
    table.fail(key, reason)
    log.warn('a transaction waits for nothing and is given up', { key, nonce, expected, reason })
    return true
  }

  /**
   * Re-signs a transaction that fell below the current fee with the same nonce and a higher fee, so that only one of them can be mined. It
   * never pays more than one raise above the current fee, however long it waits.
   */
  const raise = async (row: Row): Promise<boolean> => {
    const { r: _r, s: _s, v: _v, yParity: _y, ...before } = parseTransaction(row.raw as Hex) as TransactionSerializable & Fees
    const asked: Fees = await chain.client.estimateFeesPerGas({ chain: null, type: before.type as 'eip1559' })
    const fees = FEES.filter((fee) => before[fee] !== undefined && asked[fee] !== undefined)
    if (fees.every((fee) => (before[fee] as bigint) >= (asked[fee] as bigint))) return false
    const raised = fees.map((fee) => [fee, max(asked[fee] as bigint, ((before[fee] as bigint) * RAISE_PERCENT) / 100n + 1n)])
    const raw = await account.signTransaction({ ...before, ...Object.fromEntries(raised) } as never)
    table.raised(row, { raw, hash: keccak256(raw) })
    log.info('the chain asks for more; a transaction is sent again with higher fees', { key: row.key, nonce: row.nonce })
    return true
  }

  return { send, giveUp, raise }
}

const FEES = ['maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice'] as const
type Fees = { [fee in (typeof FEES)[number]]?: bigint | undefined }
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Why the node rejected the bytes; undefined if it accepted them. */
const broadcast = (client: PublicClient, raw: Hex): Promise<string | undefined> =>
  client.sendRawTransaction({ serializedTransaction: raw }).then(
    () => undefined,
    (cause: unknown) => reachedOnly(cause).message,
  )

/** The receipt of whichever of them was mined. */
async function receiptOf(client: PublicClient, hashes: readonly Hex[]) {
  for (const hash of hashes) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((cause: unknown) => void reachedOnly(cause))
    if (receipt) return receipt
  }
  return undefined
}

/** The node's own error; throws if no node answered. */
function reachedOnly(cause: unknown): AppError {
  const error = toAppError(cause)
  if (error.code === 'rpc_unreachable') throw error
  return error
}
