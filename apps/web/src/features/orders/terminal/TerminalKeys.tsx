import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { terminalMessages } from './messages.ts'

/** What terminals send for keys that the keyboard of a phone does not have. */
const KEYS = [
  ['Esc', '\x1b'],
  ['Tab', '\t'],
  ['Ctrl C', '\x03'],
  ['Ctrl D', '\x04'],
  ['↑', '\x1b[A'],
  ['↓', '\x1b[B'],
] as const

/** A row of keys below a terminal on a phone. */
export function TerminalKeys({ onKeys, onDone }: { onKeys: (keys: string) => void; onDone: () => void }) {
  const text = useMessages(terminalMessages)
  return (
    <fieldset className="flex gap-1.5 overflow-x-auto border-t border-line px-3 py-2 md:hidden">
      <legend className="sr-only">{text.keys}</legend>
      {KEYS.map(([name, keys]) => (
        <Button
          key={name}
          size="sm"
          onClick={() => {
            onKeys(keys)
            onDone()
          }}
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}
