import { useRef, useState } from 'react'

/** A form's fields, kept in this tab until submitted, so that a reload restores them. Remount for another key. */
export function useDraft<Fields extends object>(key: string, initial: Fields) {
  const [fields, setHeld] = useState(() => readDraft(key, initial))
  const latest = useRef(fields)
  const store = (next: Fields | undefined) => {
    latest.current = next ?? initial
    setHeld(latest.current)
    try {
      if (next) sessionStorage.setItem(key, JSON.stringify(next))
      else sessionStorage.removeItem(key)
    } catch {
      // Without storage the draft lives as long as the page.
    }
  }
  return {
    fields,
    setFields: (next: Fields) => store(next),
    /** Forgets what was sent; what a person has written since then stays. */
    clear: (sent: Fields) => {
      if (latest.current === sent) store(undefined)
    },
  }
}

function readDraft<Fields extends object>(key: string, initial: Fields): Fields {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return initial
    const known = Object.entries(kept).filter(([name, value]) => name in initial && typeof value === 'string')
    return { ...initial, ...Object.fromEntries(known) }
  } catch {
    return initial
  }
}
