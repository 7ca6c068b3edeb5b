import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from './Button.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { uiMessages } from './messages.ts'

/** Says that what the URL names does not exist, with a link to continue. */
interface Missing {
  title: string
  text: string
  to: string
  label: string
}

interface LoadedProps<Data> {
  /** What `useQuery` answers. */
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** What could not be read. */
  failed: string
  /** What is safe, and what to do. */
  safe?: ReactNode
  /** The whole error, one click away; defaults to its message. */
  details?: (error: Error) => string
  /** Of a part of a screen: says that it could not be read in one line. */
  line?: boolean
  /** Discards previously read data if it could not be refetched. */
  strict?: boolean
  /** Rendered instead of everything else if the entity is known not to exist. */
  missing?: Missing | false
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders the latest data of a query; before that its skeleton, or the error with a retry button. */
export function Loaded<Data>({ query, failed, safe, details, line, strict, missing, skeleton, children }: LoadedProps<Data>) {
  const { retry } = useMessages(uiMessages)
  const { data, error, isFetching, refetch } = query
  if (missing)
    return (
      <EmptyState title={missing.title} action={<ButtonLink to={missing.to}>{missing.label}</ButtonLink>}>
        {missing.text}
      </EmptyState>
    )
  if (data !== undefined && !(strict && error)) return children(data)
  if (!error) return skeleton
  if (line)
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-3 text-ink-2">
        {failed}
        <Button size="sm" pending={isFetching} onClick={() => void refetch()}>
          {retry}
        </Button>
      </div>
    )
  return (
    <ErrorState
      title={failed}
      details={details ? details(error) : error.message}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      {safe}
    </ErrorState>
  )
}
