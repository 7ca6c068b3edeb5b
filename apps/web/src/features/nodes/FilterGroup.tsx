import type { ReactNode } from 'react'

export interface FilterGroupProps {
  title: string
  hideTitle?: boolean
  children: ReactNode
}

/** Filters that belong together under one small title. */
export function FilterGroup({ title, hideTitle = false, children }: FilterGroupProps) {
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className={hideTitle ? 'sr-only' : 'mb-1.5 text-xs font-medium text-ink-3'}>{title}</legend>
      {children}
    </fieldset>
  )
}
