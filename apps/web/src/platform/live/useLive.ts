import type { MarketEvent } from '@rackfair/protocol/events'
import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { useIsHydrating } from '../../ui/useIsHydrating.ts'
import { noteLatestBlock } from './latestBlock.ts'
import { EVENT_TYPES, topicsOf } from './liveEvents.ts'

const GATHER_MS = 400
const POLL_MS = 300_000
const RETRY_MS = 5000

export type LiveState = 'connecting' | 'live' | 'polling'

/**
 * Follows the market while somebody looks at the page: what changed is read again in place. The browser resumes a broken stream by
 * itself; one that was refused is opened anew. Until then everything live is read again every five minutes, and once it is back at
 * once: a read may have failed meanwhile. A page in the background has no stream, because over HTTP/1.1 a browser has six connections
 * to a host for all of its tabs. The stream is asked for before the page's first reads, and what was read before it was open is read
 * again.
 */
export function useLive(): LiveState {
  const client = useQueryClient()
  // src/prerender/early has kept the page live up to this point.
  const isHydrating = useIsHydrating()
  const [state, setState] = useState<LiveState>(isHydrating ? 'live' : 'connecting')
  useLayoutEffect(() => {
    if (document.getElementById('app')?.dataset.live === undefined) setState('connecting')
    const waiting = new Set<string>()
    let all = false
    let gather: ReturnType<typeof setTimeout> | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let source: EventSource | undefined

    const readAgain = () => {
      gather = undefined
      const topics = new Set(waiting)
      const everything = all
      waiting.clear()
      all = false
      void client.invalidateQueries({
        predicate: (query) => query.meta?.live?.some((topic) => everything || topics.has(topic)) ?? false,
      })
    }
    const take = (event: MarketEvent) => {
      if (event.type === 'block') noteLatestBlock(event.block, event.blockTime)
      const topics = topicsOf(event)
      if (topics) for (const topic of topics) waiting.add(topic)
      else all = true
      gather ??= setTimeout(readAgain, GATHER_MS)
    }
    const open = () => {
      source = new EventSource('/v1/events')
      source.onopen = () => {
        setState('live')
        all = true
        readAgain()
      }
      for (const type of EVENT_TYPES)
        source.addEventListener(type, (message: MessageEvent<string>) => take(JSON.parse(message.data) as MarketEvent))
      source.onerror = () => {
        setState('polling')
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
      }
    }
    const poll = setInterval(() => {
      if (document.hidden || source?.readyState === EventSource.OPEN) return
      all = true
      readAgain()
    }, POLL_MS)
    const close = () => {
      clearTimeout(retry)
      source?.close()
    }
    const followVisibility = () => {
      close()
      if (!document.hidden) open()
    }
    document.addEventListener('visibilitychange', followVisibility)
    followVisibility()
    return () => {
      document.removeEventListener('visibilitychange', followVisibility)
      clearInterval(poll)
      clearTimeout(gather)
      close()
    }
  }, [client])
  return state
}
