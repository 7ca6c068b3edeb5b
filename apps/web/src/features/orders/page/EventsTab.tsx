import type { Order } from '@rackfair/rules/order/order'
import { Fragment } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useConfig } from '../../../platform/api/config.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Hash } from '../../../ui/Hash.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import { orderMessages } from '../messages.ts'
import type { TimelineEntry } from './timelineEntry.ts'
import { useOrderTimeline } from './useOrderTimeline.ts'

/** The events of an order in one timeline, newest first: those of the chain with their transactions, and the machine's reports. */
export function EventsTab({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { entries, error, retry } = useOrderTimeline(order)
  if (error)
    return (
      <div className="p-5">
        <ErrorState title={text.timelineFailed} details={error.message} onRetry={retry}>
          {text.readSafe}
        </ErrorState>
      </div>
    )
  if (!entries)
    return (
      <div className="p-5">
        <Skeleton size="card" />
      </div>
    )
  return (
    <ol className="flex flex-col py-2">
      {entries.map((entry, index) => {
        const day = format.date(entry.time)
        const isNewDay = index === 0 || format.date(entries[index - 1]?.time ?? 0) !== day
        return (
          <Fragment key={entry.key}>
            {isNewDay && (
              <li className="flex items-center gap-3 px-edge pt-3 pb-1 text-xs text-ink-3">
                <span className="num">{day}</span>
                <span aria-hidden className="h-px flex-1 bg-line" />
              </li>
            )}
            <EventRow entry={entry} />
          </Fragment>
        )
      })}
    </ol>
  )
}

function EventRow({ entry }: { entry: TimelineEntry }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const explorerUrl = useConfig()?.explorerUrl
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-edge py-1.5">
      <span className="num w-16 shrink-0 text-xs text-ink-3">{format.clock(entry.time)}</span>
      <StateShape tone={entry.tone} />
      <span className="min-w-40 flex-1">
        {entry.text}
        {entry.reason !== undefined && <span className="block text-xs break-words text-ink-2">{entry.reason}</span>}
      </span>
      {entry.transactionHash === undefined ? (
        <span className="hidden text-xs text-ink-3 sm:inline">{text.reported}</span>
      ) : (
        <span className="text-xs text-ink-3">
          <Hash value={entry.transactionHash} explorerUrl={explorerUrl} />
        </span>
      )}
    </li>
  )
}

/** How many events there are, once they are read. */
export function EventCount({ order }: { order: Order }) {
  const format = useFormat()
  const { entries } = useOrderTimeline(order)
  return entries && <span className="num text-xs text-ink-3">{format.number(entries.length)}</span>
}
