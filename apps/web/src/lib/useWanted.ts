import { useEffect, useState } from 'react'
import { whenWanted } from './whenWanted.ts'

let known = false

/** False until the first sign of a person on any page. */
export function useWanted(): boolean {
  const [wanted, setWanted] = useState(known)
  useEffect(() => {
    if (known) return setWanted(true)
    return whenWanted(() => {
      known = true
      setWanted(true)
    })
  }, [])
  return wanted
}
