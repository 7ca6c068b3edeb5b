import { useMessages } from '../i18n/useMessages.ts'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { appMessages } from './messages.ts'

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const

/** Stands while the code of a screen is on its way; high enough that the footer does not jump. */
export function PageSkeleton() {
  const text = useMessages(appMessages)
  return (
    <div className="min-h-screen">
      <Page>
        <span role="status" className="sr-only">
          {text.loading}
        </span>
        <Skeleton size="line" narrow />
        <div className="flex flex-col gap-3">
          {ROWS.map((row) => (
            <Skeleton key={row} size="row" />
          ))}
        </div>
      </Page>
    </div>
  )
}
