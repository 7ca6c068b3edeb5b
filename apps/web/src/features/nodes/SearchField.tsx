import { Search } from 'lucide-react'
import { useMessages } from '../../i18n/useMessages.ts'
import { TextInput } from '../../ui/TextInput.tsx'
import { nodeMessages } from './messages.ts'
import { MAX_SENTENCE } from './nodeFilter.ts'
import { useDraft } from './useDraft.ts'

export function SearchField({
  value,
  onChange,
  large = false,
}: {
  value: string
  onChange: (text: string) => void
  large?: boolean
}) {
  const text = useMessages(nodeMessages).filters
  const [draft, setDraft] = useDraft(value, onChange, (words) => words.trim())
  return (
    <TextInput
      type="search"
      aria-label={text.searchLabel}
      placeholder={text.search}
      maxLength={MAX_SENTENCE}
      large={large}
      icon={<Search aria-hidden className="size-4" />}
      value={draft}
      onChange={setDraft}
    />
  )
}
