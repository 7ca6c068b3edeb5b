import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** True while the page is being printed: everything is rendered before the browser continues. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const tell = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'))
    window.addEventListener('beforeprint', tell)
    window.addEventListener('afterprint', tell)
    return () => {
      window.removeEventListener('beforeprint', tell)
      window.removeEventListener('afterprint', tell)
    }
  }, [])
  return printing
}
