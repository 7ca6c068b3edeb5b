import { useEffect, useState } from 'react'
import { onFirstInteraction } from './onFirstInteraction.ts'

let known = false

/** False until the first interaction on any page. */
export function useHasInteracted(): boolean {
  const [wanted, setWanted] = useState(known)
  useEffect(() => {
    if (known) return setWanted(true)
    return onFirstInteraction(() => {
      known = true
      setWanted(true)
    })
  }, [])
  return wanted
}
