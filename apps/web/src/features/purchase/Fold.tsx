import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

/** A part of the pay panel that is there for who wants it. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-t border-line">
      <summary className="flex h-10 cursor-pointer list-none items-center justify-between gap-3 text-ink-2 hover:text-ink">
        {title}
        <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-4 pt-1 pb-4 text-ink-2">{children}</div>
    </details>
  )
}
