import type { ReactNode } from 'react'

/** Words at the left, figures at the right, each line with room of its own. */
export function Facts({ facts }: { facts: readonly { term: string; value: ReactNode }[] }) {
  return (
    <dl className="cols-facts">
      {facts.map((fact) => (
        <div key={fact.term}>
          <dt className="text-xs text-ink-3">{fact.term}</dt>
          <dd className="num min-w-0 text-right wrap-anywhere">{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
