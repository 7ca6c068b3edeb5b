import type { NodeListItem } from '@rackfair/protocol/nodes'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { NodeQuery } from '@rackfair/sdk/http'
import { type Api, createApi } from '@rackfair/sdk/http'
import { isSameModel, type OthersPrices, type PricePart } from '../../config/priceRules.ts'

const PAGE = 200
const MAX_PAGES = 10

/**
 * Prices of other providers, one figure per provider and part: a provider with a hundred nodes weighs no more than one with a single node,
 * and one's own price never follows itself.
 */
export async function readOthersPrices(
  platforms: readonly string[],
  provider: string,
  wanted: readonly { part: PricePart; model: string }[],
): Promise<OthersPrices> {
  const api = createApi({ baseUrl: platforms })
  const found = new Map<string, readonly bigint[]>()
  for (const { part, model } of wanted) {
    const key = keyOf(part, model)
    if (!found.has(key)) found.set(key, await pricesOf(api, provider, part, model))
  }
  return (part, model) => found.get(keyOf(part, model)) ?? []
}

const keyOf = (part: PricePart, model: string) => `${part} ${model.toLowerCase()}`

async function pricesOf(api: Pick<Api, 'nodes'>, provider: string, part: PricePart, model: string): Promise<bigint[]> {
  const own = lowerCaseAddress(provider)
  const lowest = new Map<string, bigint>()
  const filter: NodeQuery = part === 'gpu' ? { gpu: model } : part === 'cpu' ? { cpu: model } : {}
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: NodeQuery = { ...filter, online: true, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await api.nodes(query).catch((cause: Error) => {
      throw new AppError(
        'platform_unreachable',
        `the platform does not say what others ask (${cause.message}); no price was changed`,
        { cause },
      )
    })
    for (const node of answer.items) {
      const asked = partOf(node, part)
      if (lowerCaseAddress(node.cp) === own || asked.num === 0 || !isSameModel(part, asked.model, model)) continue
      const wei = BigInt(asked.priceMon)
      const before = lowest.get(node.cp)
      if (wei > 0n && (before === undefined || wei < before)) lowest.set(node.cp, wei)
    }
    if (answer.next === null) break
    cursor = answer.next
  }
  return [...lowest.values()]
}

function partOf(node: NodeListItem, part: PricePart): { model: string; num: number; priceMon: string } {
  if (part === 'gpu') return node.gpu
  if (part === 'cpu') return node.cpu
  return { ...(part === 'memory' ? node.mem : node.disk), model: '' }
}
