import { toAppError } from '@rackfair/sdk'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { TransactionReceipt } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorToast } from '../../lib/errors/useErrorToast.ts'
import { dismissToast, NOTICE_MS, toast } from '../../ui/toastStore.ts'
import { type Call, type Market, type TransactionState, useMarket, useTransaction } from '../../wallet/index.ts'
import { providerMessages } from './messages.ts'

export interface WriteOptions {
  /** What the transaction does; kept with it in the account dialog. */
  description: string
  /** The notice after the receipt, for 15 seconds. */
  success: { title: string; text?: string }
}

export interface MarketWrite {
  state: TransactionState
  busy: boolean
  /** Undefined when the user declined, or when it failed and the toast has said so. */
  write: (
    calls: (market: Market) => Promise<Call | Call[]> | Call | Call[],
    options: WriteOptions,
  ) => Promise<TransactionReceipt | undefined>
}

/** One kind of write with its notices: waiting once the wallet has sent it, success after the receipt, else the error. */
export function useMarketWrite(): MarketWrite {
  const text = useMessages(providerMessages).notices
  const market = useMarket()
  const { state, send } = useTransaction()
  const showError = useErrorToast()
  const [preparing, setPreparing] = useState(false)
  const waiting = useRef<number>(undefined)

  useEffect(() => {
    if (state.phase === 'submitted')
      waiting.current ??= toast({ tone: 'good', title: text.waiting, text: text.waitingText, timeout: NOTICE_MS })
    else endWaiting(waiting)
  }, [state, text])

  const write: MarketWrite['write'] = async (calls, { description, success }) => {
    if (market.status !== 'ready') {
      if (market.status === 'failed') showError(market.error)
      return undefined
    }
    setPreparing(true)
    try {
      const receipt = await send(await calls(market.market), { description, onFailed: showError })
      if (receipt) toast({ tone: 'good', ...success, timeout: NOTICE_MS })
      return receipt
    } catch (error) {
      showError(toAppError(error))
      return undefined
    } finally {
      // The screen may be gone, and its effects with it.
      endWaiting(waiting)
      setPreparing(false)
    }
  }
  return { state, busy: preparing || state.phase === 'wallet' || state.phase === 'submitted', write }
}

function endWaiting(notice: RefObject<number | undefined>): void {
  if (notice.current !== undefined) dismissToast(notice.current)
  notice.current = undefined
}
