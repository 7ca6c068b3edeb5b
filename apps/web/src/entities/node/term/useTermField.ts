import { writeDuration } from '@rackfair/rules/duration'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useDebounced } from '../../../platform/browser/useDebounced.ts'
import { readTerm, type Term, termIn } from './termField.ts'

/**
 * The typed term, at first the one in the address bar or else the shortest, in seconds. The address bar keeps it, so that the same offer is
 * shown after a reload, and where the field is built anew while it is typed in. `settled` follows once the typing rests.
 */
export function useTermField(shortest?: number): {
  term: Term
  setTerm: (term: Term) => void
  seconds: number | undefined
  settled: number | undefined
  /** What is asked about `settled` concerns the term on screen. */
  isSettled: boolean
} {
  const [params, setParams] = useSearchParams()
  const [term, setTyped] = useState(() => termIn(params.get('for'), shortest))
  const seconds = readTerm(term)
  const settled = useDebounced(seconds)
  const setTerm = (next: Term) => {
    setTyped(next)
    const chosen = readTerm(next)
    if (chosen === undefined || chosen === seconds) return
    setParams(
      (before) => {
        before.set('for', writeDuration(chosen))
        return before
      },
      { replace: true },
    )
  }
  return { term, setTerm, seconds, settled, isSettled: settled === seconds }
}
