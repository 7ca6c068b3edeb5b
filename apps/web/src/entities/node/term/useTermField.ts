import { writeDuration } from '@rackfair/rules/duration'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useDebounced } from '../../../platform/browser/useDebounced.ts'
import { readTerm, type Term, termIn } from './termField.ts'

/**
 * The typed term, at first the one in the address bar or else the shortest, in seconds. The address bar keeps it, so that a reload shows the
 * same offer. `settled` follows once the typing rests.
 */
export function useTermField(shortest?: number): {
  term: Term
  setTerm: (term: Term) => void
  seconds: number | undefined
  settled: number | undefined
} {
  const [params, setParams] = useSearchParams()
  const [term, setTerm] = useState(() => termIn(params.get('for'), shortest))
  const seconds = readTerm(term)
  const settled = useDebounced(seconds)
  const kept = useRef(settled)
  useEffect(() => {
    if (settled === undefined || settled === kept.current) return
    kept.current = settled
    setParams(
      (before) => {
        before.set('for', writeDuration(settled))
        return before
      },
      { replace: true },
    )
  }, [settled, setParams])
  return { term, setTerm, seconds, settled }
}
