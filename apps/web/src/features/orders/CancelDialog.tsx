import { pricePerSecondWei } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { quoteCancel } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useApplication } from '../../lib/orders/useApplication.ts'
import { useNow } from '../../lib/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toastStore.ts'
import { RequireWallet, useMarket } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { useOrderCall } from './useOrderCall.ts'

const QUOTE_MS = 2000

/** What a cancel brings back, read from the contract until it is confirmed. */
export function CancelDialog({ order, onClose }: { order: OrderWire; onClose: () => void }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const market = useMarket()
  const cancel = useOrderCall()
  const { application } = useApplication(order, useNow(15_000))
  const quote = useQuery({
    queryKey: ['orders', 'cancel', order.id],
    queryFn:
      market.status === 'ready'
        ? () => quoteCancel(market.market.client, market.market.addresses, BigInt(order.id), false)
        : skipToken,
    refetchInterval: cancel.busy ? false : QUOTE_MS,
    staleTime: 0,
    meta: { live: ['block'] },
  })
  const confirm = async () => {
    if (!(await cancel.call(order.id, 'userCancel', text.cancelDescription(order.id)))) return
    toast({ tone: 'good', title: text.cancelDone(order.id), text: text.cancelDoneText })
    onClose()
  }
  const free = quote.data?.toProvider === 0n && quote.data.commission === 0n && quote.data.pending === 0n
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!cancel.busy}
      title={text.cancelTitle(order.id)}
      footer={
        <>
          <Button onClick={onClose} disabledReason={cancel.busy ? text.waitingChain : undefined} reasonAs="tooltip">
            {text.cancelKeep}
          </Button>
          {quote.data && (
            <Button variant="danger" pending={cancel.busy} onClick={() => void confirm()}>
              {cancel.phase === 'wallet'
                ? text.inWallet
                : cancel.phase === 'submitted'
                  ? text.waitingChain
                  : text.cancelDo(format.usd(quote.data.toUser))}
            </Button>
          )}
        </>
      }
    >
      <RequireWallet>
        {quote.data ? (
          <div className="flex flex-col gap-4">
            <div className="flex items-baseline justify-between gap-4">
              <span>{text.cancelBack}</span>
              <span className="text-2xl" data-testid="refund">
                <Money wei={quote.data.toUser} />
              </span>
            </div>
            <Facts
              facts={[
                { term: text.cancelProvider, value: <Money wei={quote.data.toProvider} digits={6} /> },
                ...(quote.data.commission > 0n
                  ? [{ term: text.cancelCommission, value: <Money wei={quote.data.commission} digits={6} /> }]
                  : []),
                ...(quote.data.pending > 0n
                  ? [{ term: text.cancelPending, value: <Money wei={quote.data.pending} digits={6} /> }]
                  : []),
              ]}
            />
            {quote.data.compensation > 0n && <p className="text-ink-2">{text.cancelLost}</p>}
            {quote.data.pending > 0n && <p className="text-ink-2">{text.cancelPendingText}</p>}
            <p className="text-xs text-ink-3">
              {free ? text.cancelFree : text.cancelAsOf(format.usd(pricePerSecondWei(BigInt(order.rate)), { max: 8 }))}
            </p>
            <p className="text-ink-2">{application.state === 'none' ? text.cancelNoData : text.cancelData}</p>
          </div>
        ) : quote.isError ? (
          <ErrorState title={text.cancelFailed} details={quote.error.message} onRetry={() => void quote.refetch()} />
        ) : (
          <Skeleton size="card" />
        )}
      </RequireWallet>
    </Dialog>
  )
}
