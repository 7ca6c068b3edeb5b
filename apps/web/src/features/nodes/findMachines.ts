import { readNodeSearch } from '@rackfair/sdk/http'
import { api } from '../../lib/api.ts'
import { nodeQueryOf } from './nodeFilter.ts'
import type { Find } from './unknownWords.ts'

/** Searches all machines of the market. */
export const findAny =
  (signal: AbortSignal): Find =>
  async (filter, limit) =>
    readNodeSearch(await api.nodes({ ...nodeQueryOf(filter), limit }, { signal }))

/** Searches what can be bought now; with `provider`, of it alone. */
export const findIdle =
  (provider: string | undefined, signal: AbortSignal): Find =>
  async (filter, limit) =>
    readNodeSearch(
      await api.nodes(
        { ...nodeQueryOf(filter), idle: true, online: true, ...(provider === undefined ? {} : { provider }), limit },
        { signal },
      ),
    )
