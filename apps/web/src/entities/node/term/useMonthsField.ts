import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useDebounced } from '../../../platform/browser/useDebounced.ts'
import { readMonths } from './monthsField.ts'

/** The typed months, kept in the address bar so that a reload shows the same offer. `settled` follows once the slider rests. */
export function useMonthsField(): {
  text: string
  setText: (text: string) => void
  months: number | undefined
  settled: number | undefined
} {
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState(() => params.get('months') ?? '1')
  const months = readMonths(text)
  const settled = useDebounced(months)
  const kept = useRef(settled)
  useEffect(() => {
    if (settled === undefined || settled === kept.current) return
    kept.current = settled
    setParams(
      (before) => {
        before.set('months', String(settled))
        return before
      },
      { replace: true },
    )
  }, [settled, setParams])
  return { text, setText, months, settled }
}
