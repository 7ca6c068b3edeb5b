import { useEffect, useState } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'
import { toast } from './toastStore.ts'

const COPIED_MS = 1500

/** Copies a text; `copied` is true for 1.5 seconds after. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const words = useMessages(uiMessages)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return {
    copied,
    copy: async (text) => {
      try {
        await navigator.clipboard.writeText(text)
        setCopied(true)
      } catch {
        // Browsers keep the clipboard from pages without https, and from those that a person does not allow it.
        toast({ tone: 'bad', title: words.copyFailed, text: words.copyByHand })
      }
    },
  }
}
