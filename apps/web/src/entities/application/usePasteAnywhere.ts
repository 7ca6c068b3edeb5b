import { useEffect, useRef } from 'react'

/** Who comes with a file in the clipboard need not look for the field that takes it: what is pasted beside any field goes to `take`. */
export function usePasteAnywhere(take: (text: string) => void): void {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      const text = clipboardData?.getData('text/plain') ?? ''
      const isField = target instanceof Element && target.closest('input, textarea, select') !== null
      if (!isField && text.trim() !== '') latest.current(text)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
