import { useEffect } from 'react'

let drawn = ''

/** Writes the title of the browser's tab. */
export function useDocumentTitle(title: string): void {
  const full = title === 'Rackfair' ? title : `${title} · Rackfair`
  if (typeof document === 'undefined') drawn = full
  useEffect(() => {
    document.title = full
  }, [full])
}

/** The title of the page last rendered on the server. */
export function drawnTitle(): string {
  return drawn
}
