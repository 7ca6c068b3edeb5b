import { isTerminal } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../lib/api.ts'
import { useNow } from '../../../lib/useNow.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { orderMessages } from '../messages.ts'
import { OrderStatusBadge } from '../OrderStatusBadge.tsx'
import { ReceiptSheet } from './ReceiptSheet.tsx'

/** Every line of an order's money on a sheet of paper, which is printed alone. */
export function Receipt({ order }: { order: OrderWire }) {
  const text = useMessages(orderMessages)
  const now = useNow()
  const receipt = useQuery({
    queryKey: ['orders', 'receipt', order.id],
    queryFn: ({ signal }) => api.receipt(order.id, { signal }),
    meta: { live: [`order:${order.id}`] },
  })
  return (
    <Page>
      <div className="no-print">
        <PageTitle
          title={text.receiptTitle(order.id)}
          trail={[
            { label: text.title, to: '/myspace' },
            { label: text.order(order.id), to: `/orderinfo?id=${order.id}` },
            { label: text.receipt },
          ]}
          badges={<OrderStatusBadge order={order} now={now} />}
          actions={
            <>
              <ButtonLink to={`/orderinfo?id=${order.id}`}>{text.backToOrder}</ButtonLink>
              <Button variant="primary" icon={<Printer aria-hidden className="size-4" />} onClick={() => window.print()}>
                {text.print}
              </Button>
            </>
          }
        />
      </div>
      <div className="cols-sheet">
        {receipt.isError ? (
          <ErrorState
            title={text.receiptFailed}
            details={receipt.error.message}
            onRetry={() => void receipt.refetch()}
            retrying={receipt.isFetching}
          >
            {text.readSafe}
          </ErrorState>
        ) : receipt.data ? (
          <ReceiptSheet receipt={receipt.data} now={now} />
        ) : (
          <Skeleton size="page" />
        )}
        <div className="no-print flex min-w-0 flex-col gap-4">
          <Card title={text.receiptCheck}>
            <p className="text-ink-2">{text.receiptLead}</p>
            <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2">
              <ExternalLink to={`/v1/orders/${order.id}/receipt`}>{text.json}</ExternalLink>
              <ExternalLink to={`/v1/orders/${order.id}/receipt.csv`}>{text.csv}</ExternalLink>
            </p>
          </Card>
          {!isTerminal(order.status) && (
            <Card title={text.receiptSoFar}>
              <p className="text-ink-2">{text.receiptSoFarText}</p>
            </Card>
          )}
        </div>
      </div>
    </Page>
  )
}
