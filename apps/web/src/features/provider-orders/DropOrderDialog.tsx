import { type Order, orderTerms } from '@rackfair/rules/order/order'
import { OrderStatus } from '@rackfair/rules/order/status'
import { inProbation } from '@rackfair/rules/order/time'
import { contractCall, marketOf, quoteCancel, toAppError } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { getBlock } from 'viem/actions'
import { WriteStatus } from '../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Market, useMarket, useTransaction } from '../../wallet/index.ts'
import { soldOrderMessages } from './messages.ts'

const QUOTE_MS = 4000

/** Drops an order after showing how the contract would split the money, penalty included. */
export function DropOrderDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const text = useMessages(soldOrderMessages).dropping
  const format = useFormat()
  const errorText = useErrorText()
  const market = useMarket()
  const { state, busy, send } = useTransaction()
  const terms = orderTerms(order)
  const quote = useQuery({
    queryKey: ['drop-quote', order.id],
    queryFn: market.status === 'ready' ? () => readSplit(market.market, order.orderId) : skipToken,
    refetchInterval: QUOTE_MS,
    staleTime: 0,
    retry: false,
  })

  const drop = async () => {
    const receipt = await send(
      async ({ client, addresses }) => {
        const id = order.orderId
        return contractCall(addresses, 'market', 'providerCancel', [id], await marketOf(client, addresses.access, id))
      },
      { description: text.describe(order.id), success: { title: text.done(order.id) } },
    )
    if (receipt) onClose()
  }

  const unused = order.status === OrderStatus.Created || (quote.data !== undefined && inProbation(terms, quote.data.time))
  const problem = quote.error ? errorText(toAppError(quote.error)) : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.title(order.id)}
      footer={
        <>
          <Button data-start onClick={onClose}>
            {text.keep}
          </Button>
          <Button
            variant="danger"
            pending={busy}
            disabledReason={problem ? problem.full : quote.data ? undefined : text.reading}
            reasonAs="tooltip"
            onClick={() => void drop()}
          >
            {text.confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {quote.data !== undefined && (
          <Notice tone="warn">
            {unused ? text.unused : quote.data.compensation === 0n ? text.excused : text.costly(format.duration(order.penalty))}
          </Notice>
        )}
        {problem ? (
          <Notice tone="bad">{problem.full}</Notice>
        ) : quote.data === undefined ? (
          <Skeleton size="card" />
        ) : (
          <Split split={quote.data} />
        )}
        <WriteStatus state={state} />
      </div>
    </Dialog>
  )
}

/** Who gets what, and when. */
function Split({ split }: { split: Awaited<ReturnType<typeof readSplit>> }) {
  const text = useMessages(soldOrderMessages).dropping
  return (
    <>
      <Facts
        facts={[
          { term: text.buyerGets, value: <Money wei={split.toUser} digits={6} /> },
          { term: text.youGet, value: <Money wei={split.toProvider} digits={6} /> },
          ...(split.commission > 0n ? [{ term: text.commission, value: <Money wei={split.commission} digits={6} /> }] : []),
          ...(split.pending > 0n ? [{ term: text.pending, value: <Money wei={split.pending} digits={6} /> }] : []),
          { term: text.fromPledge, value: <Money wei={split.compensation} digits={6} /> },
        ]}
      />
      {split.pending > 0n && <p className="text-ink-2">{text.pendingText}</p>}
      <p className="text-xs text-ink-3">{text.moving}</p>
    </>
  )
}

/** The contract's own split, and the time of its chain: a device's clock does not decide about a probation. */
async function readSplit({ client, addresses }: Market, orderId: bigint) {
  const [split, block] = await Promise.all([
    quoteCancel(client, addresses, orderId, true),
    getBlock(client, { blockTag: 'pending' }),
  ])
  return { ...split, time: Number(block.timestamp) }
}
