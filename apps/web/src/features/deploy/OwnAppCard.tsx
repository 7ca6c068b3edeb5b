import type { Order } from '@rackfair/rules/order/order'
import { Box } from 'lucide-react'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { deployMessages } from './messages.ts'

/** Beside the presets: an application that the renter brings; `blocked` says why this provider takes none. */
export function OwnAppCard({ order, blocked }: { order: Order; blocked: string | undefined }) {
  const text = useMessages(deployMessages)
  return (
    <article className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-5" data-preset="own-app">
      <div className="flex items-start gap-3">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-md border border-line bg-sunk text-ink-2">
          <Box aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="text-base">{text.ownTitle}</h3>
          <p className="text-xs text-ink-3">{text.ownMore}</p>
        </div>
      </div>
      <p className="text-ink-2">{text.ownText}</p>
      <div className="mt-auto flex flex-col">
        {blocked ? (
          <p className="text-xs text-warn">{blocked}</p>
        ) : (
          <ButtonLink to={`/orderdeploy/${order.id}/?app=own`} variant="accent">
            {text.ownOpen}
          </ButtonLink>
        )}
      </div>
    </article>
  )
}
