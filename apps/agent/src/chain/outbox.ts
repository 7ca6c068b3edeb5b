import { monitorsAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/core'
import { contractCall, toAppError, withGasMargin } from '@rackfair/sdk'
import {
  type Abi,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseTransaction,
  type TransactionSerializable,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { AgentTimes } from '../config/agentTimes.ts'
import type { Log } from '../log.ts'
import { faultPoint } from '../orders/faultPoint.ts'
import type { AgentDb } from '../orders/openAgentDb.ts'
import { createTokenBuckets } from '../verify/tokenBuckets.ts'
import type { ChainView } from './chainView.ts'

/** The only things the operator key ever signs on chain. None moves money. */
export type OutboxCall =
  | { kind: 'activate'; orderId: bigint; market: Address }
  | { kind: 'activateWithApp'; orderId: bigint; market: Address; app: string }
  | { kind: 'setApp'; orderId: bigint; market: Address; app: string }
  | { kind: 'release'; orderId: bigint; market: Address }
  | { kind: 'setAvail'; orderId: bigint; nodeId: bigint; avail: boolean }
  | { kind: 'setOnline'; orderId: bigint; nodeId: bigint; online: boolean }
  /** A call of the contract `Monitors` against what was found of an order; `against` names it, so that it is wanted once. */
  | { kind: 'dispute'; orderId: bigint; monitors: Address; against: string; data: Hex }

interface Row {
  key: string
  orderId: string
  call: string
  state: 'wanted' | 'sent' | 'done' | 'failed'
  nonce: number | null
  raw: Hex | null
  hash: Hex | null
  /** Hashes that the same call with the same nonce had at lower fees: any one of them may be mined yet. */
  cheaper: string
  attempts: number
  error: string | null
  updatedAt: number
}

const REBROADCAST_POLLS = 40
/** Nodes take another transaction in place of one that they hold when it pays more, most of them 10 % and some 12.5 %. */
const RAISE_PERCENT = 113n
/**
 * Deploying and cleaning are free signatures, and the operator pays for telling the chain of them: that an application runs is told a few
 * times at once for each order, and from then on when it still holds after some minutes. That it was cleaned is told at once: it can be said
 * no more often than that it ran.
 */
const TOLD_AT_ONCE = 3
const TELL_AGAIN_MS = 5 * 60_000

export interface Outbox {
  /** Asks for a transaction. Asking again while it is on its way, or shortly after, changes nothing; so does telling the chain too often. */
  enqueue(call: OutboxCall): void
  /** Sends what is wanted, one after another; answers when nothing is left to send. */
  flush(): Promise<void>
  stop(): void
}

/** What is not done, by state: how many, and since when the oldest of them waits. */
export interface OpenTransactions {
  state: 'wanted' | 'sent' | 'failed'
  count: number
  oldestSeconds: number
}

const saysThatItIsClean = (call: OutboxCall): boolean =>
  call.kind === 'setAvail' ? !call.avail : call.kind === 'setApp' && call.app === ''

const subjectOf = (call: OutboxCall): string => {
  if (call.kind === 'setAvail') return `setAvail:${call.nodeId}:${call.orderId}`
  return call.kind === 'setOnline' ? `setOnline:${call.nodeId}` : `${call.kind}:${call.orderId}`
}

export const keyOf = (call: OutboxCall): string => {
  if (call.kind === 'setAvail') return `${subjectOf(call)}:${call.avail}`
  if (call.kind === 'setOnline') return `${subjectOf(call)}:${call.online}`
  if (call.kind === 'dispute') return `${subjectOf(call)}:${call.against}`
  return 'app' in call ? `${subjectOf(call)}:${call.app}` : subjectOf(call)
}

/**
 * What was not sent yet and is no longer so needs no telling. A deployment says all there is to say; taking it away does not unsay it,
 * since the chain has to learn that the order was used.
 */
const supersededBy = (call: OutboxCall): string[] => {
  switch (call.kind) {
    case 'activateWithApp':
      return [`${subjectOf(call)}:%`, `activate:${call.orderId}`, `setApp:${call.orderId}:%`, `setAvail:%:${call.orderId}:%`]
    case 'setApp':
    case 'setAvail':
    case 'setOnline':
      return [`${subjectOf(call)}:%`]
    default:
      return []
  }
}

/**
 * Transactions that survive a crash. The signed bytes are stored before they are broadcast; after a restart the same bytes
 * are broadcast again, so that one wish becomes one transaction.
 */
export function createOutbox(options: {
  state: AgentDb
  chain: ChainView
  provider: Address
  account: LocalAccount
  log: Log
  times: Pick<AgentTimes, 'transactionRetryMs' | 'receiptMs'>
  /** Awaited before the wish counts as done, so that nobody who acts on older knowledge asks for it again. */
  onDone: (call: OutboxCall) => Promise<void>
}): Outbox & { open: () => OpenTransactions[] } {
  const { state, chain, account, provider, log, times } = options
  const { db } = state
  const get = db.prepare('SELECT * FROM outbox WHERE key = ?')
  const next = db.prepare(
    "SELECT * FROM outbox WHERE state IN ('sent','wanted') ORDER BY state ASC, key LIKE 'activate%' DESC, updatedAt ASC LIMIT 1",
  )
  const insert = db.prepare(
    `INSERT INTO outbox (key, orderId, call, state, updatedAt) VALUES (?,?,?,'wanted',?)
     ON CONFLICT (key) DO UPDATE SET state = 'wanted', call = excluded.call, nonce = NULL, raw = NULL, hash = NULL, cheaper = '[]', updatedAt = excluded.updatedAt`,
  )
  const sent = db.prepare(
    "UPDATE outbox SET state = 'sent', nonce = ?, raw = ?, hash = ?, attempts = attempts + 1, updatedAt = ? WHERE key = ?",
  )
  const replace = db.prepare(
    'UPDATE outbox SET raw = ?, hash = ?, cheaper = ?, attempts = attempts + 1, updatedAt = ? WHERE key = ?',
  )
  const finish = db.prepare('UPDATE outbox SET state = ?, error = ?, updatedAt = ? WHERE key = ?')
  const supersede = db.prepare("DELETE FROM outbox WHERE state = 'wanted' AND key LIKE ? AND key <> ?")
  const toTell = createTokenBuckets({ burst: TOLD_AT_ONCE, refillMs: TELL_AGAIN_MS })
  const failedAtMs = new Map<string, number>()
  const open = db.prepare(
    "SELECT state, count(*) AS count, min(updatedAt) AS since FROM outbox WHERE state IN ('wanted','sent','failed') GROUP BY state",
  )
  let stopped = false
  let running: Promise<void> | undefined

  /** The clock of the machine may jump; how long ago a failure was is measured by one that only runs forward. */
  const fail = (key: string, reason: string) => {
    failedAtMs.set(key, performance.now())
    finish.run('failed', reason.slice(0, 300), Date.now(), key)
  }

  const send = async (row: Row) => {
    const call = parseCall(row.call)
    try {
      const target = toContractCall(chain, provider, call)
      await chain.client.simulateContract({ ...target, account } as never)
      const request = await chain.client.prepareTransactionRequest({
        account,
        chain: null,
        to: target.address,
        data: encodeFunctionData({ abi: target.abi, functionName: target.functionName, args: target.args } as never),
        nonce: await chain.client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
        chainId: chain.chainId,
      } as never)
      const { gas } = request as { gas: bigint }
      const raw = await account.signTransaction({ ...request, gas: withGasMargin(gas) } as never)
      sent.run((request as { nonce: number }).nonce, raw, keccak256(raw), Date.now(), row.key)
      faultPoint('transactionStored')
    } catch (cause) {
      const error = toAppError(cause)
      if (error.retryable) throw error
      fail(row.key, `${error.code}: ${error.message}`)
      log.warn('a transaction was not sent', { key: row.key, code: error.code, reason: error.message })
    }
  }

  /** Why the node did not take the bytes; undefined when it did. */
  const broadcast = (raw: Hex): Promise<string | undefined> =>
    chain.client.sendRawTransaction({ serializedTransaction: raw }).then(
      () => undefined,
      (cause: unknown) => {
        const error = toAppError(cause)
        if (error.code === 'rpc_unreachable') throw error
        return error.message
      },
    )

  const receiptOf = async (hashes: readonly Hex[]) => {
    for (const hash of hashes) {
      const receipt = await chain.client.getTransactionReceipt({ hash }).catch((cause: unknown) => {
        const error = toAppError(cause)
        if (error.code === 'rpc_unreachable') throw error
        return undefined
      })
      if (receipt) return receipt
    }
    return undefined
  }

  const settle = async (row: Row) => {
    const refused = await broadcast(row.raw as Hex)
    faultPoint('transactionSent')
    const nonce = row.nonce as number
    const hashes = [row.hash as Hex, ...(JSON.parse(row.cheaper) as Hex[])]
    for (let poll = 0; !stopped; poll += 1) {
      // Counted before the receipt is asked for: what is counted and has no receipt is another transaction.
      const used = await chain.client.getTransactionCount({ address: account.address })
      const receipt = await receiptOf(hashes)
      if (receipt) {
        const ok = receipt.status === 'success'
        faultPoint('transactionMined')
        await options.onDone(parseCall(row.call))
        if (ok) finish.run('done', null, Date.now(), row.key)
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
      await new Promise((resolve) => setTimeout(resolve, times.receiptMs))
    }
  }

  /**
   * What the node does not hold is given up, and what the chain then still lacks is asked for anew: the node refused it or forgot it, or a
   * reorganisation took back a transaction before it, which nobody sends again. It would wait for ever and everything wanted behind it. Its
   * bytes may be mined all the same: every call says how things shall be, or is refused the second time.
   */
  const giveUp = async ({ key, nonce }: Row, refused: string | undefined): Promise<boolean> => {
    const expected = await chain.client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    if (expected > (nonce as number)) return false
    const reason =
      expected < (nonce as number) ? 'the chain took back a transaction before it' : (refused ?? 'the node forgot it')
    finish.run('failed', reason.slice(0, 300), Date.now(), key)
    log.warn('a transaction waits for nothing and is given up', { key, nonce, expected, reason })
    return true
  }

  /**
   * What waits because the chain asks for more by now is signed anew with the same nonce, so that only one of them can be mined. It never
   * pays more than a raise above what the chain asks, however long it waits.
   */
  const raise = async (row: Row): Promise<boolean> => {
    const { r: _r, s: _s, v: _v, yParity: _y, ...before } = parseTransaction(row.raw as Hex) as TransactionSerializable & Fees
    const asked: Fees = await chain.client.estimateFeesPerGas({ chain: null, type: before.type as 'eip1559' })
    const fees = FEES.filter((fee) => before[fee] !== undefined && asked[fee] !== undefined)
    if (fees.every((fee) => (before[fee] as bigint) >= (asked[fee] as bigint))) return false
    const raised = fees.map((fee) => [fee, max(asked[fee] as bigint, ((before[fee] as bigint) * RAISE_PERCENT) / 100n + 1n)])
    const raw = await account.signTransaction({ ...before, ...Object.fromEntries(raised) } as never)
    const cheaper = JSON.stringify([row.hash, ...(JSON.parse(row.cheaper) as Hex[])])
    replace.run(raw, keccak256(raw), cheaper, Date.now(), row.key)
    log.info('the chain asks for more; a transaction is sent again with higher fees', { key: row.key, nonce: row.nonce })
    return true
  }

  const drain = async () => {
    while (!stopped) {
      const row = next.get() as Row | undefined
      if (!row) return
      if (row.state === 'wanted') await send(row)
      else await settle(row)
    }
  }

  return {
    enqueue(call) {
      const key = keyOf(call)
      const row = get.get(key) as Row | undefined
      if (row?.state === 'wanted' || row?.state === 'sent') return
      if (
        row?.state === 'failed' &&
        performance.now() - (failedAtMs.get(key) ?? -times.transactionRetryMs) < times.transactionRetryMs
      )
        return
      const superseded = supersededBy(call)
      for (const pattern of superseded) supersede.run(pattern, key)
      if (superseded.length > 0 && !saysThatItIsClean(call) && !toTell.take(subjectOf(call))) return
      insert.run(key, String(call.orderId), serializeCall(call), Date.now())
    },
    flush() {
      running ??= drain().finally(() => {
        running = undefined
      })
      return running
    },
    open: () =>
      (open.all() as { state: OpenTransactions['state']; count: number; since: number }[]).map(({ state, count, since }) => ({
        ...{ state, count },
        oldestSeconds: Math.max(0, (Date.now() - since) / 1000),
      })),
    stop() {
      stopped = true
    },
  }
}

const FEES = ['maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice'] as const
type Fees = { [fee in (typeof FEES)[number]]?: bigint | undefined }
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** A call of any of our contracts. */
interface Target {
  address: Address
  abi: Abi
  functionName: string
  args?: readonly unknown[] | undefined
}

function toContractCall(chain: ChainView, provider: Address, call: OutboxCall): Target {
  const { addresses } = chain
  switch (call.kind) {
    case 'activate':
      return contractCall(addresses, 'market', 'activate', [call.orderId], call.market)
    case 'activateWithApp':
      return contractCall(addresses, 'market', 'activateWithApp', [call.orderId, call.app], call.market)
    case 'setApp':
      return contractCall(addresses, 'market', 'setApp', [call.orderId, call.app], call.market)
    case 'release':
      return contractCall(addresses, 'market', 'release', [call.orderId], call.market)
    case 'setAvail':
      return contractCall(addresses, 'registry', 'set_avail', [provider, call.nodeId, call.avail])
    case 'setOnline':
      return contractCall(addresses, 'registry', 'setOnline', [provider, call.nodeId, call.online])
    case 'dispute':
      return { address: call.monitors, abi: monitorsAbi, ...decodeFunctionData({ abi: monitorsAbi, data: call.data }) }
  }
}

const serializeCall = (call: OutboxCall): string =>
  JSON.stringify(call, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

function parseCall(text: string): OutboxCall {
  const plain = JSON.parse(text) as Record<string, string>
  if (plain.orderId !== undefined) Object.assign(plain, { orderId: BigInt(plain.orderId) })
  if (plain.nodeId !== undefined) Object.assign(plain, { nodeId: BigInt(plain.nodeId) })
  return plain as unknown as OutboxCall
}
