import { type ReactNode, useId } from 'react'

export interface CardProps {
  /** An h2 in the card's first line. */
  title?: ReactNode
  /** At the right end of the first line. */
  aside?: ReactNode
  /** Without inner distance, for tables and tabs that reach the edge. */
  flush?: boolean
  children: ReactNode
}

export function Card({ title, aside, flush = false, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={`min-w-0 rounded-lg border border-line bg-raised ${flush ? '' : 'px-5 py-5'}`}
    >
      {(title !== undefined || aside !== undefined) && (
        <div className={`flex flex-wrap items-baseline justify-between gap-3 ${flush ? 'px-5 pt-5 pb-3' : 'mb-3'}`}>
          {title !== undefined && (
            <h2 id={id} className="text-base">
              {title}
            </h2>
          )}
          {aside !== undefined && <div className="text-xs text-ink-3">{aside}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
