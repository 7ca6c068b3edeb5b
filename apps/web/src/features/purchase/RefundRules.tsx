import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Market } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import { paramsQuery } from './purchaseQueries.ts'

/** When money comes back, by the Market's present parameters. */
export function RefundRules({ market }: { market: Market | undefined }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const params = useQuery(paramsQuery(market))
  if (!params.data) return params.isError ? null : <Skeleton />
  return params.data.probation === 0 ? text.rulesNoProbation : text.rules(format.longDuration(params.data.probation))
}
