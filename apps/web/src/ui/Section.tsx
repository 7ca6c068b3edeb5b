import { type ReactNode, useId } from 'react'

/** A part of a page with an h2; `large` where it is a page of parts that have little to do with each other. */
export function Section({
  title,
  aside,
  large = false,
  children,
}: {
  title: string
  aside?: ReactNode
  large?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={large ? 'flex flex-col gap-6' : 'flex flex-col gap-4'}>
      <div className={`flex flex-wrap justify-between gap-3 ${large ? 'items-end' : 'items-baseline'}`}>
        <h2 id={id} className={large ? 'text-2xl tracking-tight' : 'text-lg tracking-tight'}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
