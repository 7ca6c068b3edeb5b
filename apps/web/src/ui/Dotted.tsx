import { Fragment, type ReactNode } from 'react'

/** Short facts in a line, with a dot between that stands clear of both and never begins or ends a line. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  return (
    <span className="dotted">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have their places
        <Fragment key={index}>
          {index > 0 && ' '}
          <span>{part}</span>
        </Fragment>
      ))}
    </span>
  )
}
