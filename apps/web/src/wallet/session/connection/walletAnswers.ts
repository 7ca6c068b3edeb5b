import { readSignature } from '@rackfair/protocol/signature'
import { type Address, getAddress, type Hex, isAddress } from 'viem'

/** More than a wallet has; the rest is not read. */
const MAX_ACCOUNTS = 100
/** EIP-5792: 4,096 bytes. */
const MAX_BATCH_ID = 8194

const fieldsOf = (answer: unknown): Record<string, unknown> =>
  typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}

/** The first that `read` takes, of the answer itself and of fields in which some wallets wrap it. */
function unwrapped<Value>(
  answer: unknown,
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  const fields = fieldsOf(answer)
  for (const value of [answer, ...names.map((name) => fields[name])]) {
    const found = read(value)
    if (found !== undefined) return found
  }
  return undefined
}

const hashIn = (value: unknown): Hex | undefined => {
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-f]{64})$/i.exec(value)?.[1] : undefined
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
}

/** The hash of a transaction, also of one in an object. */
export const readHash = (answer: unknown): Hex | undefined =>
  unwrapped(answer, ['hash', 'transactionHash', 'txHash', 'result'], hashIn)

/** A signature; empty texts and objects without one are none, but `0x` is. */
export const readSigned = (answer: unknown): Hex | undefined =>
  unwrapped(answer, ['signature', 'result'], (value) => (value === '' ? undefined : readSignature(value)))

export const readBatchId = (answer: unknown): string | undefined =>
  unwrapped(answer, ['id', 'callsId', 'bundleId', 'result'], (value) =>
    typeof value === 'string' && value !== '' && value.length <= MAX_BATCH_ID ? value : undefined,
  )

/** Accounts, checksummed; undefined for what is no list. */
export function readAccounts(answer: unknown): readonly Address[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer
    .slice(0, MAX_ACCOUNTS)
    .map((one: unknown) => (typeof one === 'string' ? one : fieldsOf(one).address))
    .filter((one): one is Address => typeof one === 'string' && isAddress(one, { strict: false }))
    .map((one) => getAddress(one))
}

/** A chain's number, in hex, in decimals, as a number, or in an object. */
export const readChainId = (answer: unknown): number | undefined =>
  unwrapped(answer, ['chainId', 'result', 'networkId'], (value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint' && (typeof value !== 'string' || value.trim() === ''))
      return undefined
    const id = Number(value)
    return Number.isSafeInteger(id) && id > 0 ? id : undefined
  })

/** Whether the capabilities of a wallet (EIP-5792) say that it carries out several calls as one on a chain. `0x0` stands for all chains. */
export function readCanBatch(answer: unknown, chainId: number): boolean {
  const entries = Object.entries(fieldsOf(answer))
  const on = (id: number) => fieldsOf(entries.find(([key]) => Number(key.replace(/^eip155:/, '')) === id)?.[1])
  const { status } = fieldsOf(on(chainId).atomic ?? on(0).atomic)
  return status === 'supported' || status === 'ready'
}

/** What a wallet says of a batch. `odd`: nothing that can be understood. */
export interface BatchStatus {
  state: 'pending' | 'done' | 'failed' | 'odd'
  /** Of its transactions, as far as the wallet names them. */
  hashes: readonly Hex[]
}

export function readBatchStatus(answer: unknown): BatchStatus {
  const { status, statusCode, receipts } = fieldsOf(answer)
  const hashes = (Array.isArray(receipts) ? receipts.slice(-MAX_ACCOUNTS) : []).map(readHash).filter((hash) => hash !== undefined)
  return { state: stateOf(statusCode ?? status), hashes }
}

function stateOf(status: unknown): BatchStatus['state'] {
  const word = String(status).toLowerCase()
  if (word === 'pending') return 'pending'
  if (word === 'confirmed' || word === 'success') return 'done'
  if (word === 'failed' || word === 'failure') return 'failed'
  const code = typeof status === 'number' || typeof status === 'string' ? Number(status) : Number.NaN
  if (code >= 100 && code < 200) return 'pending'
  if (code >= 200 && code < 300) return 'done'
  return code >= 400 && code < 700 ? 'failed' : 'odd'
}
