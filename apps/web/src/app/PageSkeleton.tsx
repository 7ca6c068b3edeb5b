import { useMessages } from '../i18n/useMessages.ts'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { appMessages } from './messages.ts'

/** Shown while the code of a screen is loading: a title, its figures, and the two columns that most screens have. */
export function PageSkeleton() {
  const text = useMessages(appMessages)
  return (
    <div className="min-h-screen">
      <Page>
        <span role="status" className="sr-only">
          {text.loading}
        </span>
        <Skeleton size="line" narrow />
        <Skeleton size="figures" />
        <div className="cols-aside">
          <Skeleton size="page" />
          <Skeleton size="panel" />
        </div>
      </Page>
    </div>
  )
}
