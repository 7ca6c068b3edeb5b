import type { ReactNode } from 'react'

/** Names over values, as many beside each other as there is room for. */
export function FactGrid({ facts }: { facts: readonly { term: string; value: ReactNode }[] }) {
  return (
    <dl className="cols-fact-grid">
      {facts.map(({ term, value }) => (
        <div key={term} className="min-w-0">
          <dt className="text-xs text-ink-3">{term}</dt>
          <dd className="num break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
