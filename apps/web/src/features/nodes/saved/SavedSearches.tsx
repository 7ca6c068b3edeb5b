import { useMutation } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../lib/api.ts'
import { useErrorToast } from '../../../lib/errors/useErrorToast.ts'
import { forgetSearch, foundKey, keepSearch, useSavedSearches } from '../../../lib/savedSearches.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { NOTICE_MS, toast } from '../../../ui/toastStore.ts'
import { nodeMessages } from '../messages.ts'
import { type NodeFilter, writeNodeFilter } from '../nodeFilter.ts'
import { savedSearchQuery } from './savedSearchQuery.ts'
import { useSearchTitle } from './useSearchTitle.ts'

/** What makes a search another one: not its order, nor what prices are shown for. */
const wordsOf = (filter: NodeFilter) => writeNodeFilter({ ...filter, sort: 'perGpu', per: 'gpu' }).toString()

/** Saves the search that is shown, so that its next match is told. What matches now is no news. */
export function NotifyButton({ filter }: { filter: NodeFilter }) {
  const text = useMessages(nodeMessages).saved
  const showError = useErrorToast()
  const words = wordsOf(filter)
  const isSaved = useSavedSearches().some((search) => search.words === words)
  const save = useMutation({
    mutationFn: async () => {
      // At the press itself: a browser asks only then.
      const allowed = 'Notification' in window ? await Notification.requestPermission() : 'denied'
      const { items } = await api.nodes(savedSearchQuery(words))
      keepSearch(words, items.map(foundKey))
      return allowed === 'granted'
    },
    onSuccess: (allowed) =>
      toast({ tone: 'good', title: text.savedTitle, text: allowed ? text.savedText : text.savedHere, timeout: NOTICE_MS }),
    onError: (error) => showError(error, { title: text.failed }),
  })
  const Icon = isSaved ? BellOff : Bell
  return (
    <Button
      icon={<Icon aria-hidden className="size-4" />}
      pending={save.isPending}
      onClick={() => (isSaved ? forgetSearch(words) : save.mutate())}
    >
      {isSaved ? text.stop : text.notify}
    </Button>
  )
}

/** The saved searches, each to be opened or forgotten. */
export function SavedSearches() {
  const text = useMessages(nodeMessages).saved
  const titleOf = useSearchTitle()
  const searches = useSavedSearches()
  if (searches.length === 0) return null
  return (
    <section aria-label={text.title} className="no-print flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-ink-3">
      <span>{text.title}</span>
      {searches.map(({ words }) => (
        <span key={words} className="inline-flex items-center gap-1.5">
          <TextLink to={words === '' ? '/nodelist' : `/nodelist?${words}`}>{titleOf(words)}</TextLink>
          <Chip removeLabel={text.forget(titleOf(words))} onRemove={() => forgetSearch(words)}>
            {text.stop}
          </Chip>
        </span>
      ))}
    </section>
  )
}
