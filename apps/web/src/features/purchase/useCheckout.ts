import { useEffect, useRef, useState } from 'react'
import type { TransactionReceipt } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { dismissToast, NOTICE_MS, toast } from '../../ui/toastStore.ts'
import type { Market } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import type { PaymentProgress } from './paymentSteps.ts'
import { type Payment, usePayment } from './usePayment.ts'
import { useSentTransaction } from './useSentTransaction.ts'

/** A payment from the button to the receipt, taken up again after a reload. */
export function useCheckout(market: Market | undefined) {
  const text = useMessages(purchaseMessages)
  const payment = usePayment()
  const sent = useSentTransaction(market)
  const [receipt, setReceipt] = useState<TransactionReceipt>()
  const [dismissed, setDismissed] = useState<unknown>()

  const notice = useRef<number>(undefined)
  const { sentHash } = payment
  const { note } = sent
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every transaction that leaves the wallet
  useEffect(() => {
    if (sentHash !== undefined) note(sentHash)
  }, [sentHash])
  const waiting = payment.progress?.stage === 'waiting'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every payment that leaves the wallet
  useEffect(() => {
    if (waiting) notice.current = toast({ tone: 'good', title: text.waitingTitle, text: text.waitingText, timeout: NOTICE_MS })
  }, [waiting])

  const resumed: PaymentProgress | undefined = sent.hash && {
    way: 'direct',
    stage: sent.receipt ? 'done' : 'waiting',
    failed: sent.error !== null,
    hash: sent.hash,
  }
  const progress = payment.progress ?? resumed
  const error = payment.error ?? sent.error ?? undefined
  const busy = progress !== undefined && !progress.failed && progress.stage !== 'done'
  useEffect(() => {
    if (busy || notice.current === undefined) return
    dismissToast(notice.current)
    notice.current = undefined
  }, [busy])
  return {
    progress,
    busy,
    /** The failure that has not been read yet. */
    error: error === dismissed ? undefined : error,
    sent: progress?.stage === 'waiting' || progress?.stage === 'done',
    receipt: receipt ?? sent.receipt,
    start: async (prepare: () => Promise<Payment | undefined>) => {
      if (!market) return undefined
      sent.forget()
      const done = await payment.pay(market, prepare)
      if (done) setReceipt(done)
      return done
    },
    dismiss: () => setDismissed(error),
    /** Takes the steps away, for example when the price has to be asked for again. */
    clear: () => {
      payment.reset()
      sent.forget()
    },
  }
}
