import type { NodeQuery } from '@rackfair/sdk/http'
import { nodeQueryOf, readNodeFilter, understood } from '../nodeFilter.ts'

/** What a saved search asks the platform: only machines that can be bought now are news, the newest first. */
export function savedSearchQuery(words: string): NodeQuery {
  const filter = understood(readNodeFilter(new URLSearchParams(words)))
  return { ...nodeQueryOf(filter), idle: true, online: true, sort: 'newest', limit: 200 }
}
