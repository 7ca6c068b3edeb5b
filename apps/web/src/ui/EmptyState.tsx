import type { ReactNode } from 'react'
import { EmptyBay } from './EmptyBay.tsx'

/** Nothing to show, and what to do next. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-line-2 px-6 py-10 text-center">
      <EmptyBay />
      <h2 className="text-base">{title}</h2>
      {children !== undefined && <div className="max-w-form text-ink-2">{children}</div>}
      {action}
    </div>
  )
}
