import { readNodeSearch } from '@rackfair/sdk/http'
import { api } from '../../platform/api/api.ts'
import type { Find } from './nearestMatches.ts'
import { nodeQueryOf } from './nodeFilter.ts'

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
