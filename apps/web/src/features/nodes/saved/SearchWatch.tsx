import { readNodeSearch } from '@rackfair/sdk/http'
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { foundKey, keepSearch, newlyFound, useSavedSearches } from '../../../entities/node/savedSearches.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
import { NOTICE_MS, toast } from '../../../ui/toastStore.ts'
import { nodeMessages } from '../messages.ts'
import { savedSearchQuery } from './savedSearchQuery.ts'
import { useSearchTitle } from './useSearchTitle.ts'

/** Watches the saved searches while the site is open in a tab, and notifies about machines that none of them has found before. */
export function SearchWatch() {
  const text = useMessages(nodeMessages).saved
  const titleOf = useSearchTitle()
  const [, navigate] = useLocation()
  const searches = useSavedSearches()
  const answers = useQueries({
    queries: searches.map(({ words }) => ({
      queryKey: ['nodes', 'saved', words],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.nodes(savedSearchQuery(words), { signal }),
      select: readNodeSearch,
      meta: { live: ['node', 'provider'] as const },
    })),
  })
  useEffect(() => {
    for (const [index, search] of searches.entries()) {
      const found = newlyFound(search, answers[index]?.data?.nodes ?? [])
      const [first] = found
      if (!first) continue
      keepSearch(search.words, found.map(foundKey))
      const title = text.found(found.length, first.name)
      if (!notify(title, titleOf(search.words), search.words, () => navigate(`/nodelist?${search.words}`)))
        toast({ tone: 'good', title, text: titleOf(search.words), timeout: NOTICE_MS })
    }
  })
  return null
}

/** False where the browser may not show it. The same news of another tab takes its place. */
function notify(title: string, body: string, tag: string, onOpen: () => void): boolean {
  if (!('Notification' in window) || Notification.permission !== 'granted') return false
  try {
    const shown = new Notification(title, { body, tag, icon: '/logo.svg' })
    shown.onclick = () => {
      window.focus()
      onOpen()
      shown.close()
    }
    return true
  } catch {
    // Some phones show notifications of service workers only.
    return false
  }
}
