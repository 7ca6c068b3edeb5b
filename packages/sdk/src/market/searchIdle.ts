import { AppError } from '@rackfair/rules/errors/AppError'
import { newestBlock } from '../chain/newestBlock.ts'
import type { NodeQuery } from '../http/NodeQuery.ts'
import { pause } from '../pause.ts'
import type { Market } from './connectMarket.ts'
import { type NodePage, searchNodes } from './searchNodes.ts'

const WITHIN_MS = 15_000
const PAUSE_MS = 250

/**
 * One page of the machines that match and are not sold, as the chain has it now: a machine is in it as soon as its order has ended. For that,
 * the platform is given up to `withinMs` to read what the chain says; after it, the list is as far as the platform has come.
 *
 * @throws AppError `not_ready` (retryable) if the platform is behind the chain by then and lists none that can be bought; else as `searchNodes`.
 * @example const { nodes } = await searchIdle(market, { runs: 'nginx', sort: 'price' })
 */
export async function searchIdle(
  market: Pick<Market, 'api' | 'client'>,
  query: Omit<NodeQuery, 'idle'> = {},
  { signal, withinMs = WITHIN_MS }: { signal?: AbortSignal | undefined; withinMs?: number } = {},
): Promise<NodePage> {
  const minBlock = await newestBlock(market.client)
  const deadline = performance.now() + withinMs
  for (;;) {
    const page = await searchNodes(market, { ...query, idle: true }, { minBlock, ...(signal ? { signal } : {}) })
    if (page.block >= minBlock) return page
    if (performance.now() >= deadline) {
      if (page.nodes.some(({ blocker }) => blocker === undefined)) return page
      const behind = `the market’s list is of block ${page.block}, the chain is at ${minBlock}: a machine may be free that it does not name yet`
      throw new AppError('not_ready', behind, { retryable: true })
    }
    await pause(PAUSE_MS, signal)
  }
}
