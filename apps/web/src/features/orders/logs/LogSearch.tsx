import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { logMessages } from './messages.ts'
import type { LogSearchState } from './useLogSearch.ts'

/** Longest text that is looked for. */
const MAX_QUERY = 200

/** Enter goes to the line before, since a log is read from its end; with shift to the next one. */
export function LogSearch({ search }: { search: LogSearchState }) {
  const text = useMessages(logMessages)
  const format = useFormat()
  const { query, count, at } = search
  return (
    <span className="inline-flex min-w-0 items-center gap-1 max-sm:w-full">
      <span className="relative inline-flex h-8 w-60 min-w-0 items-center max-sm:flex-1">
        <Search aria-hidden className="absolute left-2.5 size-3.5 text-ink-3" />
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          maxLength={MAX_QUERY}
          value={query}
          onChange={(event) => search.setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') search.step(event.shiftKey ? 1 : -1)
            if (event.key === 'Escape') search.setQuery('')
          }}
          className="size-full rounded-md border border-edge bg-raised pr-20 pl-8"
        />
        <span role="status" className="num pointer-events-none absolute right-2.5 text-xs text-ink-3">
          {query !== '' && (count === 0 ? text.foundNone : text.found(format.number(at), format.number(count)))}
        </span>
      </span>
      {count > 0 && (
        <>
          <Button
            variant="quiet"
            size="sm"
            aria-label={text.previous}
            onClick={() => search.step(-1)}
            icon={<ChevronUp aria-hidden className="size-4" />}
          />
          <Button
            variant="quiet"
            size="sm"
            aria-label={text.next}
            onClick={() => search.step(1)}
            icon={<ChevronDown aria-hidden className="size-4" />}
          />
        </>
      )}
    </span>
  )
}
