import { useEffect, useState } from 'react'

const COPIED_MS = 1500

/** Copies a text; `copied` is true for 1.5 seconds after. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return {
    copied,
    copy: async (text) => {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    },
  }
}
