import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { readMonths } from './monthsField.ts'

const SETTLE_MS = 200

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
  const [settled, setSettled] = useState(months)
  useEffect(() => {
    if (months === settled) return
    const timer = setTimeout(() => {
      setSettled(months)
      if (months === undefined) return
      setParams(
        (before) => {
          before.set('months', String(months))
          return before
        },
        { replace: true },
      )
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [months, settled, setParams])
  return { text, setText, months, settled }
}
