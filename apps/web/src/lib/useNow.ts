import { useEffect, useState } from 'react'
import { useIsHydrating } from '../ui/useIsHydrating.ts'
import { drawnTime } from './seed.ts'

const seconds = () => Math.floor(Date.now() / 1000)

/** Unix seconds, ticking every `everyMs` (one second by default). */
export function useNow(everyMs = 1000): number {
  const isHydrating = useIsHydrating()
  const [now, setNow] = useState(isHydrating ? drawnTime : seconds)
  useEffect(() => {
    setNow(seconds())
    const timer = setInterval(() => setNow(seconds()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
