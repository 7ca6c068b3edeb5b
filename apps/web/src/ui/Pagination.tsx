import { useFormat } from '../i18n/useFormat.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from './Button.tsx'
import { uiMessages } from './messages.ts'

/** Previous and next. Pages count from 1. */
export function Pagination({ page, pages, onChange }: { page: number; pages: number; onChange: (page: number) => void }) {
  const text = useMessages(uiMessages)
  const format = useFormat()
  if (pages <= 1) return null
  return (
    <nav className="flex items-center justify-center gap-4 py-4">
      {page > 1 && <Button onClick={() => onChange(page - 1)}>{text.previous}</Button>}
      <span className="text-ink-2">{text.pageOf(format.number(page), format.number(pages))}</span>
      {page < pages && <Button onClick={() => onChange(page + 1)}>{text.next}</Button>}
    </nav>
  )
}
