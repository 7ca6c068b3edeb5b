import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { type PriceLine, priceLines } from '@rackfair/rules/prices/priceLines'
import { type Resources, ratePerMonthWei, type UnitPrices } from '@rackfair/rules/prices/pricing'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Section.tsx'
import { purchaseMessages } from './messages.ts'

const GB_PER_TB = 1000

export interface PriceTableProps {
  resources: Resources
  prices: UnitPrices
  seconds: number
  feeWei: bigint | undefined
}

/** What each resource adds to the fee, or, where that is for no whole months, to the price of a month. */
export function PriceTable({ resources, prices, seconds, feeWei }: PriceTableProps) {
  const termText = useTermText()
  const isWhole = seconds % MONTH_SECONDS === 0
  const months = isWhole ? seconds / MONTH_SECONDS : 1
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const amount = (line: PriceLine) =>
    line.kind === 'memory'
      ? format.gigabytes(line.count)
      : line.kind === 'storage'
        ? format.storage(line.count)
        : format.number(line.count)
  // Storage is priced per TB; beside an amount in GB stands the price of a GB.
  const unitWei = (line: PriceLine) => (line.kind === 'storage' && line.count < GB_PER_TB ? line.unitWei / 1000n : line.unitWei)
  return (
    <Section title={text.price}>
      <dl className="flex flex-col">
        {priceLines(resources, prices, months).map((line) => (
          <div key={line.kind} className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2.5">
            <dt className="flex-1">{text[line.kind]}</dt>
            <dd className="num text-xs text-ink-3">
              {text.perMonths(amount(line), format.usd(unitWei(line), { max: 9 }), format.number(months))}
            </dd>
            <dd className="ml-auto min-w-28 text-right">
              <Money wei={line.totalWei} />
            </dd>
          </div>
        ))}
        {!isWhole && (
          <div className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2.5">
            <dt className="flex-1">{text.aMonth}</dt>
            <dd className="ml-auto min-w-28 text-right">
              <Money wei={ratePerMonthWei(resources, prices)} />
            </dd>
          </div>
        )}
        <div className="flex flex-wrap items-baseline gap-x-4 py-2.5 font-semibold">
          <dt className="flex-1">{isWhole ? text.fee : text.feeFor(termText(seconds))}</dt>
          <dd className="text-xs font-normal text-ink-3">{text.feeLocked}</dd>
          <dd className="ml-auto min-w-28 text-right">{feeWei === undefined ? '–' : <Money wei={feeWei} />}</dd>
        </div>
      </dl>
    </Section>
  )
}
