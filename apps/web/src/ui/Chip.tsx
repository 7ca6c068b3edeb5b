import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface ChipProps {
  children: ReactNode
  onRemove: () => void
  removeLabel: string
  /** It has no effect as it stands. */
  dashed?: boolean
}

/** A choice that can be taken back, for example a filter. */
export function Chip({ children, onRemove, removeLabel, dashed = false }: ChipProps) {
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={removeLabel}
      className={`inline-flex h-6 items-center gap-1 rounded-full px-2.5 text-xs font-medium text-ink-2 hover:text-ink ${dashed ? 'border border-dashed border-edge' : 'bg-off-soft'}`}
    >
      {children}
      <X aria-hidden className="size-3" />
    </button>
  )
}
