import { type Order, whoIs } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { readReceipt } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { useAccountState } from '../../../wallet/index.ts'
import { orderMessages } from '../messages.ts'
import { OrderStatusBadge } from '../OrderStatusBadge.tsx'
import { receiptMessages } from './messages.ts'
import { ReceiptSheet } from './ReceiptSheet.tsx'
import { ReceiptVerification } from './ReceiptVerification.tsx'
import { receiptQuery } from './receiptQuery.ts'
import { useCompany } from './useCompany.ts'

/** Every line of an order's money on a sheet of paper, which is printed alone. */
export function Receipt({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const own = useMessages(receiptMessages)
  const now = useNow()
  const { company, change } = useCompany()
  const isMine = whoIs(order, useAccountState().lowerCase) === 'buyer'
  const receipt = useQuery({ ...receiptQuery(order.id), select: readReceipt })
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
        <Loaded strict query={receipt} failed={text.receiptFailed} safe={text.readSafe} skeleton={<Skeleton size="page" />}>
          {(read) => <ReceiptSheet receipt={read} now={now} company={isMine ? company : ''} />}
        </Loaded>
        <div className="no-print flex min-w-0 flex-col gap-4">
          {receipt.data && <ReceiptVerification orderId={order.id} />}
          <Card title={text.receiptCheck}>
            <p className="text-ink-2">{text.receiptLead}</p>
            <p className="mt-3 text-xs text-ink-3">{own.programText}</p>
            <p className="num mt-1 rounded-sm bg-sunk px-2.5 py-2 text-xs break-all">rackfair receipt {order.id} --verify</p>
            <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2">
              <ExternalLink to={`/v1/orders/${order.id}/receipt`}>{text.json}</ExternalLink>
              <ExternalLink to={`/v1/orders/${order.id}/receipt.csv`}>{text.csv}</ExternalLink>
              <ExternalLink to={`/v1/orders/${order.id}/evidence`}>{own.evidenceFile}</ExternalLink>
            </p>
          </Card>
          {isMine && (
            <Card>
              <Field label={own.company} hint={own.companyHint}>
                <TextArea value={company} onChange={change} rows={3} />
              </Field>
            </Card>
          )}
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
