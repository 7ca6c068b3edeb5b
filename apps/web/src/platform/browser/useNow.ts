import { useEffect, useState } from 'react'
import { useIsHydrating } from '../../ui/useIsHydrating.ts'

const seconds = () => Math.floor(Date.now() / 1000)

let drawnAt: number | undefined

/** Sets the fixed time, in Unix seconds, that a page is rendered with until its clock starts ticking. */
export function drawAt(time: number): void {
  drawnAt = time
}

/** Unix seconds, ticking every `everyMs` (one second by default). */
export function useNow(everyMs = 1000): number {
  const isHydrating = useIsHydrating()
  const [now, setNow] = useState(() => (isHydrating && drawnAt) || seconds())
  useEffect(() => {
    setNow(seconds())
    const timer = setInterval(() => setNow(seconds()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
