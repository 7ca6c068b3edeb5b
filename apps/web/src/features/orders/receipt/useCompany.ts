import { useState } from 'react'

const KEY = 'rackfair.company'
const MAX_LENGTH = 300

/** What a buyer wants printed on receipts beside its address. It stays in this browser. */
export function useCompany() {
  const [company, setCompany] = useState(() => {
    try {
      return localStorage.getItem(KEY) ?? ''
    } catch {
      return ''
    }
  })
  return {
    company,
    change(text: string): void {
      const kept = text.slice(0, MAX_LENGTH)
      setCompany(kept)
      try {
        localStorage.setItem(KEY, kept)
      } catch {
        // A browser that keeps nothing prints it all the same.
      }
    },
  }
}
