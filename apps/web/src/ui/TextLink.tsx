import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** A link inside the app, in running text or a table. */
export function TextLink({ to, children, strong = false }: { to: string; children: ReactNode; strong?: boolean }) {
  return (
    <Link
      to={to}
      className={`underline decoration-line-2 underline-offset-4 hover:decoration-ink ${strong ? 'font-semibold' : ''}`}
    >
      {children}
    </Link>
  )
}
