import type { PresetName } from '@rackfair/rules/presets'
import { useQuery } from '@tanstack/react-query'
import { presetsQuery } from '../../entities/order/queries.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Select } from '../../ui/Select.tsx'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'

/** The application that has to run: only machines that can are listed and counted then. */
export function AppSelect({ value, onChange }: { value: NodeFilter['runs']; onChange: (runs: NodeFilter['runs']) => void }) {
  const text = useMessages(nodeMessages).filters
  const { data: presets = [] } = useQuery(presetsQuery)
  return (
    <Select
      label={text.runsLabel}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: text.runsAny },
        ...presets.map(({ name, title }) => ({ value: name as PresetName, label: text.runsThis(title) })),
      ]}
    />
  )
}
