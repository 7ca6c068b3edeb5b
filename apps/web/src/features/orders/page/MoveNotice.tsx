import type { Order } from '@rackfair/rules/order/order'
import { createdOrderId, previewMove } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toastStore.ts'
import { useMarket } from '../../../wallet/index.ts'
import { orderMessages } from '../messages.ts'
import { type Conditions, useOrderCall } from '../useOrderCall.ts'

/** For the buyer of an order that runs in an earlier version of the market, where it cannot be extended: the way into the current one. */
export function MoveNotice({ order }: { order: Order }) {
  const text = useMessages(orderMessages).move
  const market = useMarket()
  const [open, setOpen] = useState(false)
  const { data: conditions } = useQuery({
    queryKey: ['orders', 'move', order.id],
    queryFn: market.status === 'ready' ? async () => (await previewMove(market.market, order.orderId)) ?? null : skipToken,
    staleTime: 300_000,
  })
  if (!conditions) return null
  return (
    <>
      <Notice title={text.title} actions={<Button onClick={() => setOpen(true)}>{text.open}</Button>}>
        {text.why}
      </Notice>
      {open && <MoveDialog order={order} conditions={conditions} onClose={() => setOpen(false)} />}
    </>
  )
}

function MoveDialog({ order, conditions, onClose }: { order: Order; conditions: Conditions; onClose: () => void }) {
  const all = useMessages(orderMessages)
  const text = all.move
  const format = useFormat()
  const [, navigate] = useLocation()
  const move = useOrderCall()
  const confirm = async () => {
    const receipt = await move.call(order.orderId, 'move', text.description(order.id), conditions)
    const id = receipt && createdOrderId(receipt)
    if (id === undefined) return
    toast({ tone: 'good', title: text.done(order.id, String(id)) })
    navigate(`/orderinfo?id=${id}`)
  }
  const length = (seconds: number) => format.longDuration(seconds)
  const share = (bps: number) => format.percent(bps / 10_000, 2)
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!move.busy}
      title={text.dialog(order.id)}
      footer={
        <>
          <Button onClick={onClose} disabledReason={move.busy ? all.waitingChain : undefined} reasonAs="tooltip">
            {text.stay}
          </Button>
          <Button variant="primary" pending={move.busy} onClick={() => void confirm()}>
            {move.phase === 'wallet' ? all.inWallet : move.phase === 'submitted' ? all.waitingChain : text.confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>{text.kept}</p>
        <Facts
          facts={[
            { term: text.holdback, value: text.nowThen(length(order.holdbackSeconds), length(conditions.holdback)) },
            { term: text.penalty, value: text.nowThen(length(order.penalty), length(conditions.penalty)) },
            { term: text.commission, value: text.nowThen(share(order.commissionBps), share(conditions.commissionBps)) },
          ]}
        />
        <Notice tone="warn">{text.deleted}</Notice>
      </div>
    </Dialog>
  )
}
