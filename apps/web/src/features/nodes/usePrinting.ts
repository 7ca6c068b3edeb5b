import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** True while the browser takes the page for a printer: everything is drawn before it goes on. */
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
