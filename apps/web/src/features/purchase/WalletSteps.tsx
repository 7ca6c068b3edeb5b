import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { type Market, useAccountState, useCanBatch } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import { paymentWayQuery } from './purchaseQueries.ts'

export interface WalletStepsProps {
  market: Market | undefined
  feeWei: bigint | undefined
  /** The fee in words. */
  fee: string
  /** What is bought, in words. */
  purchase: string
  /** The request to deploy that comes right after, in words. */
  deploy: string | undefined
}

/** What the wallet will ask, before it asks: allow, buy, deploy; allow and buy are one where the wallet batches. */
export function WalletSteps({ market, feeWei, fee, purchase, deploy }: WalletStepsProps) {
  const text = useMessages(purchaseMessages).asks
  const { address } = useAccountState()
  const canBatch = useCanBatch()
  const { data } = useQuery(paymentWayQuery(market, address, feeWei, canBatch))
  const way = data?.way ?? 'permit'
  const asks = [
    ...(way === 'direct'
      ? []
      : [{ key: 'allow', title: text.allow(fee), aside: way === 'permit' ? text.signature : text.transaction }]),
    {
      key: 'buy',
      title: way === 'direct' && !data?.isAllowed ? text.allowAndBuy(fee, purchase) : purchase,
      aside: text.transaction,
    },
    ...(deploy === undefined ? [] : [{ key: 'deploy', title: deploy, aside: text.signature }]),
  ]
  return (
    <ol aria-label={text.label} className="mt-4 flex flex-col gap-2">
      {asks.map(({ key, title, aside }, index) => (
        <li key={key} className="flex items-baseline gap-3">
          <span aria-hidden className="num grid size-5 shrink-0 place-items-center rounded-full border border-line-2 text-xs">
            {index + 1}
          </span>
          <span className="min-w-0 flex-1">{title}</span>
          <span className="text-xs text-ink-3">{aside}</span>
        </li>
      ))}
    </ol>
  )
}
