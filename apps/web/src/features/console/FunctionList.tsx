import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { CONTRACTS, type ConsoleFunction, consoleFunctions } from './consoleFunctions.ts'
import { consoleMessages } from './messages.ts'

export function FunctionList({
  chosen,
  onChoose,
}: {
  chosen: ConsoleFunction | undefined
  onChoose: (entry: ConsoleFunction) => void
}) {
  const text = useMessages(consoleMessages)
  const [wanted, setWanted] = useState('')
  const [kind, setKind] = useState<'all' | 'read' | 'write'>('all')
  const shown = consoleFunctions.filter(
    (entry) =>
      (kind === 'all' || entry.kind === kind) &&
      `${entry.contract}.${entry.name}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  const list = useRef<HTMLDivElement>(null)
  // A call that was opened by its address may stand far down.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && current)
      list.current.scrollTop = current.offsetTop - list.current.offsetTop - list.current.clientHeight / 2
  }, [])
  return (
    <nav aria-label={text.functions} className="flex min-w-0 flex-col gap-3">
      <Field label={text.search} hideLabel>
        <TextInput
          type="search"
          value={wanted}
          onChange={setWanted}
          placeholder={text.searchPlaceholder}
          icon={<Search aria-hidden className="size-4" />}
        />
      </Field>
      <div className="flex items-center justify-between gap-3">
        <Choice
          label={text.kind}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'all', label: text.all },
            { value: 'read', label: text.reads },
            { value: 'write', label: text.writes },
          ]}
        />
        <span role="status" className="text-xs text-ink-3">
          {text.found(shown.length)}
        </span>
      </div>
      <div ref={list} className="max-h-80 overflow-y-auto rounded-lg border border-line bg-raised p-2 md:max-h-144">
        {shown.length === 0 && <p className="p-3 text-ink-3">{text.noneFound}</p>}
        {CONTRACTS.map((contract) => {
          const own = shown.filter((entry) => entry.contract === contract)
          if (own.length === 0) return null
          return (
            <section key={contract} aria-label={text.contracts[contract]} className="pb-2">
              <h2 className="px-2 py-1.5 text-xs font-semibold text-ink-3">{text.contracts[contract]}</h2>
              <ul>
                {own.map((entry) => (
                  <li key={entry.name}>
                    <FunctionButton entry={entry} current={entry === chosen} onChoose={() => onChoose(entry)} />
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
    </nav>
  )
}

function FunctionButton({ entry, current, onChoose }: { entry: ConsoleFunction; current: boolean; onChoose: () => void }) {
  const text = useMessages(consoleMessages)
  return (
    <button
      type="button"
      aria-current={current || undefined}
      onClick={onChoose}
      className={`flex w-full items-baseline justify-between gap-3 rounded-sm px-2 py-1 text-left ${current ? 'bg-accent-soft' : 'hover:bg-sunk'}`}
    >
      <span className="num min-w-0 break-words">{entry.name}</span>
      <span className={`shrink-0 text-xs ${entry.kind === 'read' ? 'text-ink-2' : 'font-semibold text-ink'}`}>
        {entry.kind === 'read' ? text.read : text.write}
      </span>
    </button>
  )
}
