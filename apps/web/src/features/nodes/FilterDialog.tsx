import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FilterPanel, type FilterPanelProps } from './FilterPanel.tsx'
import { filterChips, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'

/** The filters where there is no room beside the list: a button that says how many there are, and a sheet. */
export function FilterDialog(props: FilterPanelProps) {
  const text = useMessages(nodeMessages).filters
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.open(filterChips(props.filter).length)}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
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
        <FilterPanel {...props} />
      </Dialog>
    </>
  )
}
