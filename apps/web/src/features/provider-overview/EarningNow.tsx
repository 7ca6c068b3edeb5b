import type { MarketNode } from '@rackfair/rules/node/node'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { StripCell } from '../../entities/provider/StripCell.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Money } from '../../ui/Money.tsx'
import { overviewMessages } from './messages.ts'

const DAY = 86_400n
const dayOf = (nodes: readonly MarketNode[]): bigint =>
  accruedWei(
    nodes.reduce((sum, node) => sum + node.ratePerMonthWei, 0n),
    DAY,
  )

/** What the sold nodes bring in a day, before commission. */
export function EarningNow({ nodes }: { nodes: readonly MarketNode[] }) {
  const text = useMessages(overviewMessages).figures
  const format = useFormat()
  const sold = nodes.filter((node) => node.sold)
  return (
    <StripCell title={text.earningNow} figure={<Money wei={dayOf(sold)} fixed per={text.perDay} />}>
      <p className="text-xs text-ink-3">
        {text.ifAllSold(format.usd(dayOf(nodes)), format.number(sold.length), format.number(nodes.length))}
      </p>
    </StripCell>
  )
}
