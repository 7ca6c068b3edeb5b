import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { useCopy } from '../../ui/useCopy.ts'
import { consoleMessages } from './messages.ts'

/** JSON to read and to copy. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const text = useMessages(consoleMessages)
  const { copied, copy } = useCopy()
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-center justify-between gap-3 pb-1 text-xs text-ink-3">
        <span className="num">{label}</span>
        <Button size="sm" variant="quiet" onClick={() => void copy(code)} aria-label={`${text.copy}: ${label}`}>
          {copied ? text.copied : text.copy}
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="num max-h-144 overflow-auto rounded-md bg-sunk p-3 text-xs break-words whitespace-pre-wrap">
        {code}
      </pre>
    </figure>
  )
}
