import type { AppError } from '@rackfair/rules/errors/AppError'
import { type ErrorCode, toAppError } from '@rackfair/sdk'
import { useCallback, useState } from 'react'
import type { Hash, TransactionReceipt } from 'viem'
import { queryClient } from '../platform/api/queryClient.ts'
import { useErrorToast } from '../platform/errors/useErrorToast.ts'
import { NOTICE_MS, toast } from '../ui/toastStore.ts'
import type { Market } from './market.ts'
import type { Call, SendOptions, TransactionState } from './transactionTypes.ts'
import { marketQuery } from './useMarket.ts'
import { useWaitingNotice } from './useWaitingNotice.ts'
import { useWalletContext } from './WalletContext.ts'

type SendCalls = typeof import('./session/transactions/sendCalls.ts').sendCalls

type Calls = Call | readonly Call[]

export interface TransactionOptions extends SendOptions {
  /** The notice after the receipt, for 15 seconds. */
  success?: { title: string; text?: string }
  /** Instead of the toast, also when the screen that sent it is gone by then. The hash, where the wallet had sent it. */
  onFailed?: (error: AppError<ErrorCode>, hash: Hash | undefined) => void
}

export interface UseTransaction {
  state: TransactionState
  /** From the press to the receipt. */
  busy: boolean
  /**
   * Sends one call, or several as one batch where the wallet can (EIP-5792), else one after the other; a function makes them of the market first.
   * A notice says that it waits, once the wallet has sent it. Resolves with the last receipt, after which every live query is read again;
   * `undefined` where the person declined, and where it failed and a toast has said so.
   */
  send: (
    calls: Calls | ((market: Market) => Promise<Calls> | Calls),
    options: TransactionOptions,
  ) => Promise<TransactionReceipt | undefined>
}

/** What `useTransaction` is for the wallet's own dialogs, which are part of the code that sends and hand it in. */
export function useTransactionThrough(loadSendCalls: () => Promise<SendCalls>): UseTransaction {
  useWalletContext('useTransaction')
  const showError = useErrorToast()
  const [state, setState] = useState<TransactionState>({ phase: 'idle' })
  const endNotice = useWaitingNotice(state.phase === 'submitted')
  const send: UseTransaction['send'] = useCallback(
    async (calls, { success, onFailed = showError, ...options }) => {
      let hash: Hash | undefined
      setState({ phase: 'preparing' })
      try {
        const made = typeof calls === 'function' ? await calls(await queryClient.ensureQueryData(marketQuery)) : calls
        const sendCalls = await loadSendCalls()
        const receipt = await sendCalls(Array.isArray(made) ? made : [made as Call], options, (next) => {
          if (next.phase === 'submitted') hash = next.hash
          setState(next)
        })
        if (success) toast({ tone: 'good', ...success, timeout: NOTICE_MS })
        return receipt
      } catch (error) {
        const known = toAppError(error)
        if (known.code !== 'user_rejected') onFailed(known, hash)
        return undefined
      } finally {
        endNotice()
        setState({ phase: 'idle' })
      }
    },
    [loadSendCalls, showError, endNotice],
  )
  return { state, busy: state.phase !== 'idle', send }
}
