import { Fragment, type ReactNode } from 'react'

/** Short facts in a line, with a dot between that stands clear of both. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have their places
    <Fragment key={index}>
      {index > 0 && (
        <>
          {' '}
          <span aria-hidden className="px-0.5">
            ·
          </span>{' '}
        </>
      )}
      {part}
    </Fragment>
  ))
}
