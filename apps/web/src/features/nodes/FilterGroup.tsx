import type { ReactNode } from 'react'

export interface FilterGroupProps {
  title: string
  hideTitle?: boolean
  /** All in one line, the title before them. */
  inline?: boolean
  children: ReactNode
}

/** Filters that belong together under one small title. */
export function FilterGroup({ title, hideTitle = false, inline = false, children }: FilterGroupProps) {
  const small = 'text-xs font-medium text-ink-3'
  return (
    <fieldset className={inline ? 'flex min-w-0 items-center gap-x-4 2xl:gap-x-6' : 'flex min-w-0 flex-col'}>
      {/* A legend lies beside what follows only where it floats. */}
      <legend className={hideTitle ? 'sr-only' : `${small} ${inline ? 'float-left' : 'mb-1.5'}`}>{title}</legend>
      {children}
    </fieldset>
  )
}
