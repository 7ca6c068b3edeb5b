import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useDebounced } from '../../platform/browser/useDebounced.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { homeMessages } from './messages.ts'

/** The way in: what is typed is counted among the idle machines, and leads to the list of them. */
export function WishSearch() {
  const text = useMessages(homeMessages)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const sentence = useDebounced(typed).trim()
  const found = useQuery({
    queryKey: ['home', 'found', sentence],
    queryFn: ({ signal }) =>
      api.nodes({ ...(sentence === '' ? {} : { text: sentence }), idle: true, online: true, limit: 1 }, { signal }),
    placeholderData: keepPreviousData,
    meta: { live: ['node', 'provider'] },
  })
  const total = found.data?.total
  return (
    <search>
      <form
        className="flex flex-wrap gap-2.5"
        onSubmit={(event) => {
          event.preventDefault()
          const words = typed.trim()
          const all = total === 0 && words === ''
          const search = new URLSearchParams({
            ...(words === '' ? {} : { text: words }),
            ...(all ? {} : { idle: 'true', online: 'true' }),
          })
          navigate(search.size > 0 ? `/nodelist?${search}` : '/nodelist')
        }}
      >
        <div className="min-w-52 flex-1">
          <TextInput
            type="search"
            name="text"
            large
            aria-label={text.searchLabel}
            placeholder={text.searchHint}
            maxLength={160}
            icon={<Search aria-hidden className="size-4" />}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <div className="w-full sm:w-60">
          <Button type="submit" variant="primary" size="lg" block aria-live="polite">
            {total === undefined ? text.findAny : total === 0 && typed.trim() === '' ? text.findNone : text.find(total)}
          </Button>
        </div>
      </form>
    </search>
  )
}
