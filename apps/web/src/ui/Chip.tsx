import { X } from 'lucide-react'
import type { ReactNode } from 'react'

/** A choice that can be taken back, for example a filter. */
export function Chip({ children, onRemove, removeLabel }: { children: ReactNode; onRemove: () => void; removeLabel: string }) {
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={removeLabel}
      className="inline-flex h-6 items-center gap-1 rounded-full bg-off-soft px-2.5 text-xs font-medium text-ink-2 hover:text-ink"
    >
      {children}
      <X aria-hidden className="size-3" />
    </button>
  )
}
