import { type Dropped, droppedBy } from '@rackfair/rules/order/money'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { pricePerSecondWei } from '@rackfair/rules/prices/pricing'
import { quoteCancel } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useApplication } from '../../entities/order/useApplication.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Money } from '../../ui/Money.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toastStore.ts'
import { RequireWallet, useAccountState, useMarket } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { type OrderCall, useOrderCall } from './useOrderCall.ts'

const QUOTE_MS = 2000

/**
 * Anyone can close an order that its provider dropped, and the pledge then pays; a plain cancel after a missed start would forfeit that.
 */
const CALLS: Record<Dropped, OrderCall> = { not_started: 'release', away: 'closeForDowntime' }

/** Shows the refund of a cancel, or of closing a dropped order, as read from the contract until it is confirmed. */
export function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const market = useMarket()
  const cancel = useOrderCall()
  const now = useNow(15_000)
  const { application } = useApplication(order, now)
  const mine = whoIs(order, useAccountState().lowerCase) === 'buyer'
  const dropped = droppedBy(order, now)
  const quote = useQuery({
    queryKey: ['orders', 'cancel', order.id, dropped ?? ''],
    queryFn:
      market.status === 'ready'
        ? () => quoteCancel(market.market.client, market.market.addresses, order.orderId, dropped === 'not_started')
        : skipToken,
    refetchInterval: cancel.busy ? false : QUOTE_MS,
    staleTime: 0,
    meta: { live: ['block'] },
  })
  const confirm = async () => {
    const description = dropped ? text.closeDescription(order.id) : text.cancelDescription(order.id)
    if (!(await cancel.call(order.orderId, dropped ? CALLS[dropped] : 'userCancel', description))) return
    toast({
      tone: 'good',
      title: dropped ? text.closeDone(order.id) : text.cancelDone(order.id),
      text: mine ? text.cancelDoneText : text.closeDoneText,
    })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!cancel.busy}
      title={dropped ? text.closeTitle(order.id) : text.cancelTitle(order.id)}
      footer={
        <>
          <Button data-start onClick={onClose} disabledReason={cancel.busy ? text.waitingChain : undefined} reasonAs="tooltip">
            {text.cancelKeep}
          </Button>
          {quote.data && (
            <Button variant="danger" pending={cancel.busy} onClick={() => void confirm()}>
              {cancel.phase === 'wallet'
                ? text.inWallet
                : cancel.phase === 'submitted'
                  ? text.waitingChain
                  : dropped
                    ? text.closeDo(format.usd(quote.data.toUser), mine)
                    : text.cancelDo(format.usd(quote.data.toUser))}
            </Button>
          )}
        </>
      }
    >
      <RequireWallet>
        <Loaded query={quote} failed={text.cancelFailed} skeleton={<Skeleton size="card" />}>
          {(split) => <Split split={split} order={order} mine={mine} dropped={dropped} hasData={application.state !== 'none'} />}
        </Loaded>
      </RequireWallet>
    </Dialog>
  )
}

interface SplitProps {
  split: Awaited<ReturnType<typeof quoteCancel>>
  order: Order
  /** It is the connected wallet's own order. */
  mine: boolean
  dropped: Dropped | undefined
  /** An application is on the machine, whose data is deleted. */
  hasData: boolean
}

/** Who gets what, and why. */
function Split({ split, order, mine, dropped, hasData }: SplitProps) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const free = split.toProvider === 0n && split.commission === 0n && split.pending === 0n
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-baseline justify-between gap-4">
        <span>{mine ? text.cancelBack : text.closeBack}</span>
        <span className="text-2xl" data-testid="refund">
          <Money wei={split.toUser} />
        </span>
      </div>
      <Facts
        facts={[
          ...(split.compensation > 0n
            ? [{ term: text.cancelFromPledge, value: <Money wei={split.compensation} digits={6} /> }]
            : []),
          { term: text.cancelProvider, value: <Money wei={split.toProvider} digits={6} /> },
          ...(split.commission > 0n ? [{ term: text.cancelCommission, value: <Money wei={split.commission} digits={6} /> }] : []),
          ...(split.pending > 0n ? [{ term: text.cancelPending, value: <Money wei={split.pending} digits={6} /> }] : []),
        ]}
      />
      {dropped === 'away' && <p className="text-ink-2">{text.cancelLost}</p>}
      {dropped === 'not_started' && <p className="text-ink-2">{text.cancelMissed}</p>}
      {dropped === undefined && split.compensation > 0n && <p className="text-ink-2">{text.cancelTwice}</p>}
      {split.pending > 0n && <p className="text-ink-2">{text.cancelPendingText}</p>}
      <p className="text-xs text-ink-3">
        {free || dropped ? text.cancelFree : text.cancelAsOf(format.usd(pricePerSecondWei(order.ratePerMonthWei), { max: 8 }))}
      </p>
      {!mine && <p className="text-ink-2">{text.closeForOther}</p>}
      <p className="text-ink-2">{hasData ? text.cancelData : text.cancelNoData}</p>
    </div>
  )
}
