import { X } from 'lucide-react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { AppSelect } from './AppSelect.tsx'
import { FilterPanel, type FilterPanelProps } from './FilterPanel.tsx'
import { filterCount, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'

/** The filters beside the list, which they push aside; `id` is what the button that opens them names. */
export function FilterDrawer({ id, onClose, ...panel }: FilterPanelProps & { id: string; onClose: () => void }) {
  const text = useMessages(nodeMessages).filters
  const ui = useMessages(uiMessages)
  const format = useFormat()
  const { filter, onChange } = panel
  const length = filterCount(filter)
  return (
    <section
      id={id}
      aria-label={text.title}
      className="drawer no-print shrink-0 rounded-lg border border-line bg-raised max-xl:hidden"
    >
      <div className="flex h-12 items-center gap-2 border-b border-line pr-1 pl-4">
        <h2 className="flex-1 text-sm font-semibold">
          {text.title}
          {length > 0 && <span className="ml-2 text-xs font-normal text-ink-3">{text.set(format.number(length))}</span>}
        </h2>
        {length > 0 && (
          <Button size="sm" variant="quiet" onClick={() => onChange(withoutFilters(filter))}>
            {text.clear}
          </Button>
        )}
        <Button size="sm" variant="quiet" aria-label={ui.close} icon={<X aria-hidden className="size-4" />} onClick={onClose} />
      </div>
      <div className="flex flex-col gap-5 p-4">
        <AppSelect value={filter.runs} onChange={(runs) => onChange({ ...filter, runs })} />
        <FilterPanel {...panel} />
      </div>
    </section>
  )
}
