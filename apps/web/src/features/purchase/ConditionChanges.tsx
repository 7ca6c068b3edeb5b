import type { Conditions } from '@rackfair/sdk'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { purchaseMessages } from './messages.ts'
import { changedConditions } from './quoteChange.ts'

/** What a buyer would agree to now, beside what it has seen. */
export function ConditionChanges({ before, after }: { before: Conditions; after: Conditions }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const say = (name: keyof Conditions, value: number) =>
    name === 'commissionBps' ? format.percent(value / 10_000, 2) : value === 0 ? text.none : format.longDuration(value)
  const changed = changedConditions({ feeWei: 0n, conditions: before }, { feeWei: 0n, conditions: after })
  return (
    <>
      <ul className="flex flex-col gap-1">
        {changed.map((name) => (
          <li key={name}>{text.conditionChanged(text.conditions[name], say(name, before[name]), say(name, after[name]))}</li>
        ))}
      </ul>
      <p className="mt-2">{text.conditionsChanged}</p>
    </>
  )
}
