import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { carries, type ErrorCode, findCall, RECEIPT_TIMEOUT_MS, type SentCall, toAppError, waitForReceipt } from '@rackfair/sdk'
import { type Address, type Hash, isAddressEqual, pad, type TransactionReceipt } from 'viem'
import { getTransaction, getTransactionCount } from 'viem/actions'
import type { Market } from '../../market.ts'
import type { BatchStatus } from '../connection/walletAnswers.ts'
import { awaitTransaction } from './awaitTransaction.ts'
import { findByNonce } from './findByNonce.ts'

/** What has left the wallet, as far as it is known. */
export interface Sent {
  /** As the wallet named it; it need not be the final one. */
  hash?: Hash | undefined
  nonce?: number | undefined
  confirmations?: number | undefined
  call?: SentCall | undefined
  /** The newest block before the wallet was asked, and the account's next nonce then, if it is an ordinary one. */
  sinceBlock?: string | undefined
  firstNonce?: number | undefined
}

export interface FollowOptions {
  /** What the wallet says of the batch. @throws AppError `transaction_unknown` when it does not know it */
  askBatch?: (() => Promise<BatchStatus>) | undefined
  timeoutMs?: number | undefined
  /** How often the chain is searched for the call, in milliseconds. */
  pollMs?: number | undefined
}

const POLL_MS = 4000
const ASK_MS = 1000
const AGAIN_MS = 2000
/** Uses of an account's nonce that are looked at for one transaction. */
const MAX_NONCES = 8

/**
 * Waits until the chain shows what has been sent: under the hash that the wallet named, under those that it names for a batch, or as the
 * call itself, whoever sent it. What the wallet says is a hint, never the end: only the chain's own receipt is.
 *
 * @throws AppError `transaction_reverted`, `transaction_replaced`: it was not carried out. `transaction_timeout`, `transaction_unknown`: it
 * may yet be.
 */
export async function follow(
  client: Market['client'],
  from: Address,
  sent: Sent,
  { askBatch, timeoutMs = RECEIPT_TIMEOUT_MS, pollMs = POLL_MS }: FollowOptions = {},
): Promise<TransactionReceipt> {
  const until = Date.now() + timeoutMs
  const end = new AbortController()
  const look = createSearch(client, from, sent)
  let isDone = false
  const { hash } = sent
  const given = (of: Hash) => receiptOf(client, from, { ...sent, hash: of }, until - Date.now())

  const byWallet = async (ask: () => Promise<BatchStatus>): Promise<TransactionReceipt | undefined> => {
    let isGivenUp = false
    while (!end.signal.aborted) {
      const status = await ask().catch((error: unknown) => toAppError(error))
      if (status instanceof AppError) {
        if (status.code === 'transaction_unknown') return (await look()) ?? fail(status)
      } else if (status.state === 'done') {
        for (const of of status.hashes.toReversed()) {
          const receipt = await given(of)
          if (receipt) return receipt
        }
        isDone = true
        return undefined
      } else if (status.state === 'failed') {
        for (const of of status.hashes) await given(of)
        const found = await look().catch((error: unknown) => fail(unknown(error)))
        if (found) return found
        const facts = { reason: 'unknown reason' }
        if (isGivenUp) throw new AppError<ErrorCode>('transaction_reverted', 'The wallet did not carry it out', { facts })
        // A wallet may give up what is on its way into a block, so it has to say so twice, and the chain is searched after each.
        isGivenUp = true
      }
      await pause(status instanceof AppError ? AGAIN_MS : ASK_MS)
    }
    return undefined
  }
  const byChain = async (): Promise<TransactionReceipt | undefined> => {
    let waited = 0
    while (!end.signal.aborted) {
      const step = Math.min(pollMs, ASK_MS)
      await pause(step)
      waited += step
      if (end.signal.aborted || (waited < pollMs && !isDone)) continue
      waited = 0
      const found = await look().catch((error: unknown) =>
        toAppError(error).code === 'transaction_reverted' ? fail(error) : undefined,
      )
      if (found) return found
    }
    return undefined
  }
  const late = async (): Promise<never> => {
    await pause(Math.max(0, until - Date.now()))
    throw new AppError<ErrorCode>(isDone ? 'transaction_unknown' : 'transaction_timeout', 'The chain has not shown it in time', {
      retryable: true,
    })
  }
  const watches = [
    // An end of the wait itself says whether the chain was there.
    hash === undefined ? late() : given(hash).then((receipt) => receipt ?? late()),
    ...(askBatch ? [byWallet(askBatch)] : []),
    ...(sent.call ? [byChain()] : []),
  ]
  try {
    return await Promise.race(watches.map(orNever))
  } finally {
    end.abort()
  }
}

const fail = (error: unknown): never => {
  throw error
}
const unknown = (cause: unknown) =>
  new AppError<ErrorCode>('transaction_unknown', toAppError(cause).message, { cause, retryable: true })

/** A watch that has nothing to say leaves the end to the others. */
const orNever = async (watch: Promise<TransactionReceipt | undefined>): Promise<TransactionReceipt> =>
  (await watch) ?? new Promise(() => undefined)

/** The receipt under a hash that a wallet named; undefined if the transaction is another. @throws AppError as `awaitTransaction` */
async function receiptOf(
  client: Market['client'],
  from: Address,
  sent: Sent & { hash: Hash },
  timeoutMs: number,
): Promise<TransactionReceipt | undefined> {
  const { call } = sent
  try {
    const receipt = await awaitTransaction(client, from, { ...sent, to: call?.to, data: call?.data }, Math.max(1, timeoutMs))
    return (await isOurs(client, from, call, receipt.transactionHash, receipt)) ? receipt : undefined
  } catch (error) {
    const { code, facts } = toAppError(error)
    const isElse = code === 'transaction_reverted' && !(await isOurs(client, from, call, String(facts.hash) as Hash))
    if (isElse) return undefined
    throw error
  }
}

/** A person may have changed what the wallet proposed, such as the amount of an approval, and a batch may hide what is in it. */
export async function isOurs(
  client: Market['client'],
  from: Address,
  call: SentCall | undefined,
  hash: Hash,
  receipt?: TransactionReceipt,
): Promise<boolean> {
  if (!call) return true
  const account = pad(lowerCaseAddress(from))
  const names = receipt?.logs.some(
    ({ address, topics }) => isAddressEqual(address, call.to) && (topics as readonly Hash[]).includes(account),
  )
  if (names) return true
  const transaction = await getTransaction(client, { hash }).catch(() => undefined)
  if (!transaction || carries(transaction, from, call)) return true
  const isSameFunction = transaction.input.slice(0, 10) === call.data.slice(0, 10)
  return isSameFunction && isAddressEqual(transaction.from, from) && isAddressEqual(transaction.to ?? from, call.to)
}

/** Searches the chain for the call: the account's events tell it, and of an ordinary account its nonces. */
function createSearch(client: Market['client'], from: Address, { call, sinceBlock, firstNonce, confirmations }: Sent) {
  let next = firstNonce
  const byNonce = async (wanted: SentCall): Promise<Hash | undefined> => {
    if (next === undefined) return undefined
    const used = await getTransactionCount(client, { address: from })
    for (const last = (firstNonce ?? 0) + MAX_NONCES; next < Math.min(used, last); next += 1) {
      const other = await findByNonce(client, from, next, sinceBlock)
      if (other && carries(other, from, wanted)) return other.hash
    }
    return undefined
  }
  return async (): Promise<TransactionReceipt | undefined> => {
    if (!call || sinceBlock === undefined) return undefined
    const hash = (await findCall(client, from, call, BigInt(sinceBlock))) ?? (await byNonce(call))
    return hash && waitForReceipt(client, hash, confirmations === undefined ? {} : { confirmations })
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
