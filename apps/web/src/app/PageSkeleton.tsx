import { useMessages } from '../i18n/useMessages.ts'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { appMessages } from './messages.ts'

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
        <Skeleton size="page" />
      </Page>
    </div>
  )
}
