import { useEffect, useRef } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { dismissToast, NOTICE_MS, toast } from '../ui/toastStore.ts'
import { transactionMessages } from './transactionMessages.ts'

/** Says that a transaction is on its way while it is. What is answered takes the notice away where the screen, and its effects, may be gone. */
export function useWaitingNotice(isWaiting: boolean): () => void {
  const text = useMessages(transactionMessages)
  const notice = useRef<number>(undefined)
  const end = useRef(() => {
    if (notice.current !== undefined) dismissToast(notice.current)
    notice.current = undefined
  })
  useEffect(() => {
    if (isWaiting) notice.current ??= toast({ tone: 'good', title: text.waiting, text: text.waitingText, timeout: NOTICE_MS })
    else end.current()
  }, [isWaiting, text])
  return end.current
}
