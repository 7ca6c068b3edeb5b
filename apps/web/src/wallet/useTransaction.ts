import { AppError } from '@rackfair/core'
import type { ErrorCode } from '@rackfair/sdk'
import { useCallback, useState } from 'react'
import type { TransactionReceipt } from 'viem'
import { loadWallet } from './loadWallet.ts'
import type { Call, SendOptions, TransactionState } from './transactionTypes.ts'
import { useWalletContext } from './WalletContext.ts'

export interface UseTransaction {
  state: TransactionState
  /**
   * Sends one call, or several as one batch where the wallet can (EIP-5792), else one after the other.
   * Resolves with the last receipt. A rejection by the user is silent: `undefined`, and the state is idle again.
   * Any other failure gives `undefined` and the state `failed`. After a receipt every live query is read again.
   */
  send: (calls: Call | readonly Call[], options: SendOptions) => Promise<TransactionReceipt | undefined>
  reset: () => void
}

export function useTransaction(): UseTransaction {
  useWalletContext('useTransaction')
  const [state, setState] = useState<TransactionState>({ phase: 'idle' })
  const send = useCallback(async (calls: Call | readonly Call[], options: SendOptions) => {
    const list = (Array.isArray(calls) ? calls : [calls]) as readonly Call[]
    setState({ phase: 'wallet', step: 1, steps: list.length })
    try {
      const { sendCalls } = await loadWallet()
      const receipt = await sendCalls(list, options, setState)
      setState({ phase: 'confirmed', hash: receipt.transactionHash, blockNumber: receipt.blockNumber, receipt })
      return receipt
    } catch (error) {
      const known =
        error instanceof AppError
          ? (error as AppError<ErrorCode>)
          : new AppError<ErrorCode>('unknown', String(error), { cause: error })
      setState((last) =>
        known.code === 'user_rejected'
          ? { phase: 'idle' }
          : { phase: 'failed', error: known, sent: last.phase === 'submitted', hash: 'hash' in last ? last.hash : undefined },
      )
      options.onFailed?.(known)
      return undefined
    }
  }, [])
  const reset = useCallback(() => setState({ phase: 'idle' }), [])
  return { state, send, reset }
}
