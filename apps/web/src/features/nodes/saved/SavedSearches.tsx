import { readNodeSearch } from '@rackfair/sdk/http'
import { Bell, BellOff } from 'lucide-react'
import { useState } from 'react'
import { forgetSearch, foundKey, keepSearch, useSavedSearches } from '../../../entities/node/savedSearches.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
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

/** Saves the current search to be notified of its next match. Current matches are not news. */
export function NotifyButton({ filter }: { filter: NodeFilter }) {
  const text = useMessages(nodeMessages).saved
  const titleOf = useSearchTitle()
  const words = wordsOf(filter)
  const isSaved = useSavedSearches().some((search) => search.words === words)
  const [saving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      // At the press itself: a browser asks only then.
      const allowed = 'Notification' in window ? await Notification.requestPermission() : 'denied'
      const { nodes } = readNodeSearch(await api.nodes(savedSearchQuery(words)))
      keepSearch(words, nodes.map(foundKey))
      const told = allowed === 'granted' ? text.savedText : text.savedHere
      toast({ tone: 'good', title: text.savedTitle(titleOf(words)), text: told, timeout: NOTICE_MS })
    } catch (error) {
      // The sentences of every error weigh more than the list's own code, and only a read can fail here.
      const details = error instanceof Error ? error.message : undefined
      toast({ tone: 'bad', title: text.failed, text: text.failedText, details })
    }
    setSaving(false)
  }
  const Icon = isSaved ? BellOff : Bell
  return (
    <Button
      variant="quiet"
      size="sm"
      icon={<Icon aria-hidden className="size-4" />}
      pending={saving}
      onClick={() => (isSaved ? forgetSearch(words) : void save())}
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
