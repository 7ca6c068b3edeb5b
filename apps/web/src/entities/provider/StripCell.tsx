import { type ReactNode, useId } from 'react'

/** One figure of the strip at the top of the page, with its word above and its button beside it. */
export function StripCell({
  title,
  aside,
  figure,
  action,
  children,
}: {
  title: string
  aside?: ReactNode
  figure: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1.5 bg-raised px-5 py-4">
      <div className="flex items-baseline justify-between gap-3 text-xs text-ink-3">
        <h2 id={id} className="text-xs font-normal tracking-normal">
          {title}
        </h2>
        {aside}
      </div>
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="num text-lg">{figure}</div>
        {action}
      </div>
      {children}
    </section>
  )
}
