import { useQuery } from '@tanstack/react-query'
import { useGlobal } from '../../entities/network/useGlobal.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { cheapestIdle } from './cheapestIdle.ts'
import { pricesQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'

/** Three figures of the market as it is now. */
export function LiveFigures() {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const { totals, sample } = useGlobal()
  const prices = useQuery(pricesQuery)
  const cheapest = prices.data && cheapestIdle(prices.data)
  const started = totals?.medianDeployMs ?? null
  return (
    <div className="flex flex-col gap-3">
      <section aria-label={text.figures.label} className="grid min-h-20 grid-cols-3 items-start gap-x-5 sm:min-h-12">
        <Figure term={text.figures.machines} termBelow>
          {totals ? format.number(totals.nodes.listed) : '–'}
          <span className="text-ink-3"> / {totals ? format.number(totals.providers) : '–'}</span>
        </Figure>
        <Figure term={cheapest ? text.figures.cheapest(cheapest.model) : text.figures.noneIdle} termBelow>
          {cheapest ? <Money wei={cheapest.perHourWei} digits={3} per={text.figures.perHour} /> : '–'}
        </Figure>
        {started === null ? (
          <Figure term={text.figures.idle} termBelow>
            {totals ? format.number(totals.nodes.listed - totals.nodes.sold) : '–'}
          </Figure>
        ) : (
          <Figure term={text.figures.deploy} termBelow>
            {format.milliseconds(started)}
          </Figure>
        )}
      </section>
      {sample && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
          <Badge tone="warn">{text.sample}</Badge>
          {text.sampleText}
        </p>
      )}
    </div>
  )
}
