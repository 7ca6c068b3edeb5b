import { useEffect, useState } from 'react'

/** Unix seconds, ticking every `everyMs` (one second unless told). */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Math.floor(Date.now() / 1000)), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
