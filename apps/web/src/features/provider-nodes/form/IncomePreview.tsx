import type { NodeFields } from '@rackfair/rules/formRules'
import { commissionWei } from '@rackfair/rules/prices/pricing'
import type { ModelPrice } from '@rackfair/sdk/http'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Card } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { ownNodeMessages } from '../messages.ts'
import { incomeLines } from './incomeLines.ts'

/** What the node on the form brings in a month, line by line, beside the same machine at market medians. */
export function IncomePreview({
  fields,
  prices,
  commissionBps,
}: {
  fields: NodeFields
  prices: readonly ModelPrice[] | undefined
  commissionBps: number | undefined
}) {
  const text = useMessages(ownNodeMessages).form
  const format = useFormat()
  const income = incomeLines(fields, prices)
  const names = { cpu: text.cpu, gpu: text.gpu, mem: text.memory, disk: text.storage }
  const units = { cpu: '', gpu: '', mem: ' GB', disk: ' TB' }
  const feeWei = commissionWei(0n, income.totalWei, commissionBps ?? 0)
  const difference =
    income.medianWei === undefined || income.medianWei === 0n
      ? undefined
      : Number(((income.totalWei - income.medianWei) * 1000n) / income.medianWei) / 1000

  return (
    <Card title={text.preview} aside={text.previewAside}>
      <p aria-live="polite" className="text-2xl tracking-tight">
        <Money wei={income.totalWei} />
      </p>
      {income.lines.length === 0 ? (
        <p className="mt-2 text-ink-3">{text.previewEmpty}</p>
      ) : (
        <div className="mt-3 flex flex-col gap-3">
          <ul className="flex flex-col">
            {income.lines.map((line) => (
              <li key={line.kind} className="flex flex-wrap items-baseline justify-between gap-x-3 border-t border-line py-2">
                <span className="inline-flex flex-wrap items-baseline gap-x-2">
                  {names[line.kind]}
                  <span className="num text-xs text-ink-3">
                    {text.line(`${line.amount}${units[line.kind]}`, format.usd(line.unitWei, { max: 9 }))}
                  </span>
                </span>
                <Money wei={line.totalWei} />
              </li>
            ))}
          </ul>
          <div className="border-t border-line pt-3">
            <Facts
              facts={[
                ...(feeWei > 0n
                  ? [
                      {
                        term: text.commission(format.percent((commissionBps ?? 0) / 10_000, 2)),
                        value: <Money wei={-feeWei} />,
                      },
                      { term: text.net, value: <Money wei={income.totalWei - feeWei} /> },
                    ]
                  : []),
                {
                  term: text.atMedian,
                  value:
                    income.medianWei === undefined ? (
                      <span className="font-sans text-ink-3">{text.noMedianTotal}</span>
                    ) : (
                      <>
                        <Money wei={income.medianWei} />
                        {difference !== undefined && <span className="text-ink-3"> ({format.signedPercent(difference)})</span>}
                      </>
                    ),
                },
              ]}
            />
          </div>
        </div>
      )}
    </Card>
  )
}
