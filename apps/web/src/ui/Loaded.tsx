import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from './Button.tsx'
import { ErrorState } from './ErrorState.tsx'
import { uiMessages } from './messages.ts'

interface LoadedProps<Data> {
  /** What `useQuery` answers. */
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** What could not be read. */
  failed: string
  /** What is safe, and what to do. */
  safe?: ReactNode
  /** The whole error, one click away; its message unless told. */
  details?: (error: Error) => string
  /** Of a part of a screen: says that it could not be read in one line. */
  line?: boolean
  /** What was read before counts as nothing where it could not be read again. */
  strict?: boolean
  /** Drawn in place of all others, where it is known that there is nothing. */
  empty?: ReactNode
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** What was read, as it was read last; until then its skeleton, or why it could not be read, with a way to try again. */
export function Loaded<Data>({ query, failed, safe, details, line, strict, empty, skeleton, children }: LoadedProps<Data>) {
  const { retry } = useMessages(uiMessages)
  const { data, error, isFetching, refetch } = query
  if (empty) return empty
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
