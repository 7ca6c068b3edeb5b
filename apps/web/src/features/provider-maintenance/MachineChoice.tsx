import type { MarketNode } from '@rackfair/rules/node/node'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { maintenanceMessages } from './messages.ts'

/** More than one sees at once. */
const FILTERED_FROM = 9

interface MachineChoiceProps {
  nodes: readonly MarketNode[]
  chosen: ReadonlySet<number>
  onChange: (chosen: ReadonlySet<number>) => void
  /** Stands at the end of a machine's line. */
  asideOf: (nodeId: number) => string | undefined
  children: ReactNode
}

/** Which machines; of many, those whose name has what was written. */
export function MachineChoice({ nodes, chosen, onChange, asideOf, children }: MachineChoiceProps) {
  const text = useMessages(maintenanceMessages)
  const format = useFormat()
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = nodes.filter(({ name }) => name.toLowerCase().includes(wanted))
  const set = (ids: readonly number[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    onChange(next)
  }
  const setShown = (isChosen: boolean) =>
    set(
      shown.map(({ nodeId }) => nodeId),
      isChosen,
    )
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{text.machines}</legend>
      {nodes.length >= FILTERED_FROM && (
        <div className="mt-1.5 flex flex-wrap items-center gap-2">
          <div className="min-w-40 grow">
            <Field label={text.filter} hideLabel>
              <TextInput type="search" placeholder={text.filter} value={filter} onChange={setFilter} />
            </Field>
          </div>
          {shown.length > 0 && (
            <>
              <Button size="sm" onClick={() => setShown(true)}>
                {text.chooseAll(shown.length)}
              </Button>
              <Button size="sm" onClick={() => setShown(false)}>
                {text.chooseNone(shown.length)}
              </Button>
            </>
          )}
        </div>
      )}
      <div className="mt-1 grid max-h-48 gap-x-6 overflow-y-auto sm:grid-cols-2">
        {shown.map(({ nodeId, name }) => (
          <Checkbox
            key={nodeId}
            checked={chosen.has(nodeId)}
            onChange={(isChosen) => set([nodeId], isChosen)}
            aside={<span className="text-xs text-ink-3">{asideOf(nodeId)}</span>}
          >
            <span className="block truncate" title={name}>
              {name}
            </span>
          </Checkbox>
        ))}
      </div>
      <p aria-live="polite" className="mt-1.5 text-xs text-ink-3">
        {shown.length === 0 && text.noMatch} {text.chosen(format.number(chosen.size), format.number(nodes.length))}
      </p>
      {children}
    </fieldset>
  )
}
