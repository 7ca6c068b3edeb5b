import { readWalletError } from '@rackfair/sdk/walletError'
import { numberToHex } from 'viem'
import { readAccounts, readBatchId, readChainId, readHash, readSigned } from './walletAnswers.ts'

/** How long the answers of a wallet are waited for, in milliseconds. */
export const WALLET_TIMES = {
  /** Without a question to the person. */
  quiet: 10_000,
  /** While a person reads and decides. */
  person: 180_000,
  /** A transaction, which some wallets answer only once it is mined. */
  transaction: 300_000,
}
export type WalletTimes = typeof WALLET_TIMES

const KINDS: Readonly<Record<string, keyof WalletTimes>> = {
  // A wallet that wakes up, or is unlocked first, takes its time; nothing on the page waits for it.
  eth_accounts: 'person',
  eth_requestAccounts: 'person',
  wallet_requestPermissions: 'person',
  wallet_switchEthereumChain: 'person',
  wallet_addEthereumChain: 'person',
  personal_sign: 'person',
  eth_signTypedData_v4: 'person',
  eth_sendTransaction: 'transaction',
  wallet_sendTransaction: 'transaction',
  wallet_sendCalls: 'transaction',
}

/** What an answer has to be; undefined where it is not. */
const READERS: Readonly<Record<string, (answer: unknown) => unknown>> = {
  eth_accounts: (answer) => readAccounts(answer) ?? [],
  eth_requestAccounts: readAccounts,
  eth_chainId: (answer) => {
    const id = readChainId(answer)
    return id === undefined ? undefined : numberToHex(id)
  },
  personal_sign: readSigned,
  eth_signTypedData_v4: readSigned,
  eth_sendTransaction: readHash,
  wallet_sendTransaction: readHash,
  wallet_sendCalls: (answer) => {
    const id = readBatchId(answer)
    return id === undefined ? undefined : { id }
  },
}

/** The number that viem knows for a meaning, whatever the wallet's own was. */
const NUMBERS: Readonly<Record<string, number>> = {
  user_rejected: 4001,
  wallet_locked: 4100,
  wallet_unable: 4200,
  not_connected: 4900,
}

type Listener = (data: unknown) => void

/** The provider of a wallet (EIP-1193) as the page talks to it. */
export interface WalletProvider {
  request: (call: { method: string; params?: unknown }) => Promise<unknown>
  on: (event: string, listener: Listener) => void
  removeListener: (event: string, listener: Listener) => void
}

/**
 * Whatever stands behind it, a request ends: with an answer of the form that its method has, or with an Error whose number says what the
 * wallet meant. After its time it ends with a `WalletSilentError`, and with a `SentUnreadableError` where a transaction may have been sent
 * and the wallet does not say which.
 */
export function guardProvider(wallet: unknown, times: WalletTimes = WALLET_TIMES): WalletProvider {
  const raw = (wallet ?? {}) as Record<string, unknown>
  const call = (name: string, ...values: unknown[]): unknown =>
    typeof raw[name] === 'function' ? (raw[name] as (...all: unknown[]) => unknown)(...values) : undefined
  return {
    async request({ method, params }) {
      if (typeof raw.request !== 'function') throw numbered(4200, 'The wallet takes no requests')
      const asked = async () => call('request', params === undefined ? { method } : { method, params })
      const kind = KINDS[method] ?? 'quiet'
      const answer = await within(times[kind], method, asked())
      const reader = READERS[method]
      if (!reader) return answer
      const read = reader(answer)
      if (read !== undefined) return read
      if (kind === 'transaction') throw named('SentUnreadableError', `The wallet does not say what it sent after ${method}`)
      throw numbered(4200, `The wallet does not answer ${method} as it should`)
    },
    on: (event, listener) => void call(typeof raw.on === 'function' ? 'on' : 'addListener', event, listener),
    removeListener: (event, listener) =>
      void call(typeof raw.removeListener === 'function' ? 'removeListener' : 'off', event, listener),
  }
}

async function within(ms: number, method: string, work: Promise<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(named('WalletSilentError', `The wallet has not answered ${method}`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } catch (thrown) {
    const { code, message } = readWalletError(thrown)
    if (code === 'wallet_silent') throw thrown
    const own = (thrown as { code?: unknown } | undefined | null)?.code
    throw numbered((code && NUMBERS[code]) ?? (typeof own === 'number' ? own : undefined), message, thrown)
  } finally {
    clearTimeout(timer)
  }
}

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

const numbered = (code: number | undefined, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), code === undefined ? {} : { code })
