import { AppError } from '@rackfair/rules/errors/AppError'
import { type ErrorCode, type Offer, type PaymentStep, payOffer, toAppError, waitForReceipt } from '@rackfair/sdk'
import { readWalletError } from '@rackfair/sdk/walletError'
import type { Hash, TransactionReceipt } from 'viem'
import { noteBlock } from '../../platform/api/knownBlock.ts'
import { createStore } from '../../ui/createStore.ts'
import type { Market } from '../market.ts'
import type { SendState } from '../transactionTypes.ts'
import type { PaymentProgress, PaymentStage, PaymentState } from './PaymentState.ts'
import type { PaymentWallet } from './PaymentWallet.ts'

/** What is bought, and the descriptions of its transactions. */
export interface Payment extends Offer {
  description: string
  approveDescription: string
}

/** Codes that say nothing of what the wallet can; its words may. */
const UNTOLD: readonly string[] = ['unknown', 'bad_request']

/**
 * A payment from the price to the receipt, in as few steps as the wallet allows.
 *
 * @param sentHash a payment that had left the wallet when the page was loaded again; `resume` waits for its end.
 * @example
 * const payment = createPayment(browserWallet)
 * const receipt = await payment.pay(market, async () => ({ ...orderOffer(addresses, quote), description, approveDescription }))
 */
export function createPayment(wallet: PaymentWallet, sentHash?: Hash) {
  const state = createStore<PaymentState>(
    sentHash === undefined ? { at: 'idle' } : { at: 'waiting', way: 'direct', hash: sentHash },
  )
  /** Identifies the attempt that may still update the state: one that was reset may continue in the wallet, ignored. */
  let current: object | undefined
  let resumed = false

  const stop = () => {
    current = undefined
    state.set({ at: 'idle' })
  }

  /** Runs one attempt. Anything it throws becomes the state `failed`, at its current stage. */
  const attempt = async (
    first: PaymentProgress,
    run: (advance: (change: Partial<PaymentProgress>) => void) => Promise<TransactionReceipt | undefined>,
  ): Promise<TransactionReceipt | undefined> => {
    const own = {}
    current = own
    const write = (change: Partial<PaymentProgress>) => {
      if (current === own) state.set({ ...state.get(), ...change } as PaymentProgress)
    }
    state.set(first)
    try {
      const receipt = await run(write)
      if (receipt) write({ at: 'done', receipt, hash: receipt.transactionHash })
      else if (current === own) stop()
      return receipt
    } catch (error) {
      write({ at: 'failed', during: state.get().at as PaymentStage, error: toAppError(error) })
      return undefined
    }
  }

  /** The receipt; undefined if it failed, if the user declined, and if `prepare` had nothing to pay for. */
  const pay = async (market: Market, prepare: () => Promise<Payment | undefined>): Promise<TransactionReceipt | undefined> => {
    const address = wallet.getAddress()
    if (!address) return undefined
    return attempt({ at: 'quote', way: 'permit' }, async (advance) => {
      requireNetwork(wallet)
      const payment = await prepare()
      if (!payment) return undefined
      const account = {
        address,
        canBatch: wallet.canBatch,
        signPermit: (message: Parameters<PaymentWallet['signTyped']>[0]) => wallet.signTyped(message).catch(unableOrThrow),
        noteNoPermit: () => wallet.noteNoPermit?.(),
        send: (step: PaymentStep, calls: Parameters<PaymentWallet['sendCalls']>[0]) => {
          const description = step === 'pay' ? payment.description : payment.approveDescription
          const isBatch = calls.length > 1
          return wallet
            .sendCalls(calls, { description, ...(isBatch ? { onlyAtOnce: true } : {}) }, (sent) =>
              advance(step === 'pay' ? payStage(sent) : approvalHash(sent)),
            )
            .catch((error: unknown) => (isBatch && isUnable(error) ? ('unable' as const) : undefinedIfDeclined(error)))
        },
      }
      const requireReady = () => {
        requireNetwork(wallet)
        requireAccount(wallet, address)
      }
      return payOffer(market, account, payment, {
        onAllow: (way) => {
          requireReady()
          advance({ at: 'allow', way })
        },
        onPay: (way) => {
          requireReady()
          advance({ at: 'wallet', way })
        },
      })
    })
  }

  return {
    getState: state.get,
    subscribe: state.subscribe,
    pay,
    /** Waits for a payment sent before the page was loaded. A no-op the second time, and if there was none. */
    resume: async ({ client }: Pick<Market, 'client'>): Promise<void> => {
      if (sentHash === undefined || resumed) return
      resumed = true
      await attempt({ at: 'waiting', way: 'direct', hash: sentHash }, async () => {
        const receipt = await waitForReceipt(client, sentHash)
        noteBlock(receipt.blockNumber)
        return receipt
      })
    },
    reset: stop,
  }
}

/** A payment is never queued while offline: it could go out later, when the user is no longer watching. */
function requireNetwork(wallet: PaymentWallet): void {
  if (!wallet.isOnline()) throw new AppError<ErrorCode>('rpc_unreachable', 'This device is offline')
}

/** A wallet may answer for one account after the user has already selected another. */
function requireAccount(wallet: PaymentWallet, begunBy: string): void {
  const now = wallet.getAddress()
  if (now === begunBy) return
  const code = now === undefined ? 'not_connected' : 'account_changed'
  throw new AppError<ErrorCode>(code, `The payment was begun by ${begunBy}, the wallet now has ${now ?? 'none'}`)
}

/** Only what says that the wallet cannot leads to the next way to pay: after a person's no in any words, nothing more is asked. */
function unableOrThrow(error: unknown): 'unable' {
  if (isUnable(error)) return 'unable'
  throw error
}

function isUnable(error: unknown): boolean {
  const { code, message } = toAppError(error)
  return code === 'wallet_unable' || (UNTOLD.includes(code) && readWalletError(message).code === 'wallet_unable')
}

function undefinedIfDeclined(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'user_rejected') return undefined
  throw error
}

function payStage(sent: SendState): Partial<PaymentProgress> {
  return sent.phase === 'submitted' ? { at: 'waiting', hash: sent.hash } : { at: 'wallet' }
}

function approvalHash(sent: SendState): Partial<PaymentProgress> {
  return 'hash' in sent ? { approveHash: sent.hash } : {}
}
