import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { nodeMessages } from './messages.ts'
import { PRICE_UNITS, type PriceUnit } from './priceUnit.ts'

/** What the prices of the list are for. */
export function UnitChoice({ value, onChange }: { value: PriceUnit; onChange: (unit: PriceUnit) => void }) {
  const text = useMessages(nodeMessages)
  return (
    <Choice
      label={text.unit}
      value={value}
      onChange={onChange}
      options={PRICE_UNITS.map((unit) => ({ value: unit, label: text.units[unit] }))}
    />
  )
}
