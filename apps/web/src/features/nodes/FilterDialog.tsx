import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FilterPanel, type FilterPanelProps } from './FilterPanel.tsx'
import { filterCount, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'

const ID = 'filters'

/** The filters where there is no room beside the list: a button that says how many there are, and a sheet, which starts with `before`. */
export function FilterDialog({ before, ...props }: FilterPanelProps & { before: ReactNode }) {
  const text = useMessages(nodeMessages).filters
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="lg"
        icon={<SlidersHorizontal aria-hidden className="size-4 max-sm:hidden" />}
        aria-haspopup="dialog"
        data-opens={ID}
        onClick={() => setOpen(true)}
      >
        {text.open(filterCount(props.filter))}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        ahead={{ id: ID, onOpened: () => setOpen(true) }}
        title={text.title}
        footer={
          <>
            <Button onClick={() => props.onChange(withoutFilters(props.filter))}>{text.clear}</Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              {text.show(props.summary?.total ?? 0)}
            </Button>
          </>
        }
      >
        {before}
        <FilterPanel {...props} />
      </Dialog>
    </>
  )
}
