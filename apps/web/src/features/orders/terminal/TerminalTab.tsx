import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import type { WorkspaceTabProps } from '../page/WorkspaceGate.tsx'
import { terminalMessages } from './messages.ts'
import { setScreenReader, useScreenReader } from './screenReader.ts'
import { TERMINAL_TONES, TerminalPane } from './TerminalPane.tsx'
import { MAX_TERMINALS, useTerminalTabs } from './terminalTabs.ts'
import type { TerminalState } from './useTerminal.ts'

/** Shells in the order's container, up to eight side by side. */
export function TerminalTab({ order, workspace, service, lock }: WorkspaceTabProps) {
  const text = useMessages(terminalMessages)
  const format = useFormat()
  const { tabs, shown, show, setSession, add, close } = useTerminalTabs(
    service === undefined ? order.id : `${order.id}.${service}`,
  )
  const [states, setStates] = useState<Readonly<Record<number, TerminalState['is']>>>({})
  const [closing, setClosing] = useState<readonly number[]>([])
  const row = useRef<HTMLDivElement>(null)
  const screenReader = useScreenReader()
  const nameOf = (number: number) => text.name(format.number(number))
  const closeTab = (number: number) => {
    // A running shell is ended, and its tab closes on confirmation; a tab without a shell closes at once.
    if (states[number] === 'open') setClosing([...closing, number])
    else close(number)
  }
  const onState = (number: number, state: TerminalState['is']) => {
    if (state === 'closed' && closing.includes(number)) close(number)
    else setStates((before) => ({ ...before, [number]: state }))
  }
  return (
    <div className="fills">
      <div ref={row} className="flex items-center gap-2 overflow-x-auto border-b border-line py-2 pr-3 pl-edge">
        <fieldset className="contents">
          <legend className="sr-only">{text.terminals}</legend>
          {tabs.map(({ number }) => (
            <TerminalName
              key={number}
              name={nameOf(number)}
              isShown={number === shown}
              state={states[number]}
              onShow={() => show(number)}
              onClose={() => closeTab(number)}
            />
          ))}
        </fieldset>
        <Button
          size="sm"
          variant="quiet"
          aria-label={text.add}
          title={text.add}
          icon={<Plus aria-hidden className="size-4" />}
          disabledReason={tabs.length < MAX_TERMINALS ? undefined : text.addMost(format.number(MAX_TERMINALS))}
          reasonAs="tooltip"
          onClick={add}
        />
        <span title={text.screenReaderWhat} className="ml-auto shrink-0 pl-2 text-sm text-ink-2">
          <Switch checked={screenReader} onChange={setScreenReader}>
            {text.screenReader}
          </Switch>
        </span>
      </div>
      {tabs.map(({ number, session }) => (
        <TerminalPane
          key={number}
          workspace={workspace}
          number={number}
          session={session}
          isShown={number === shown}
          isClosing={closing.includes(number)}
          onSession={(next) => setSession(number, next)}
          onState={(state) => onState(number, state)}
          onLeave={() => row.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()}
          onLocked={lock}
        />
      ))}
    </div>
  )
}

interface TerminalNameProps {
  name: string
  isShown: boolean
  state: TerminalState['is'] | undefined
  onShow: () => void
  onClose: () => void
}

function TerminalName({ name, isShown, state, onShow, onClose }: TerminalNameProps) {
  const text = useMessages(terminalMessages)
  return (
    <span
      className={`inline-flex h-8 shrink-0 items-center rounded-md border text-sm ${isShown ? 'border-line-2 bg-sunk' : 'border-transparent'}`}
    >
      <button
        type="button"
        aria-pressed={isShown}
        onClick={onShow}
        className={`inline-flex h-full items-center gap-2 pl-2.5 ${isShown ? 'text-ink' : 'text-ink-2 hover:text-ink'}`}
      >
        <StateShape tone={TERMINAL_TONES[state ?? 'opening']} />
        {name}
      </button>
      <button
        type="button"
        aria-label={text.close(name)}
        title={text.close(name)}
        onClick={onClose}
        className="grid h-full w-8 place-items-center text-ink-3 hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}
