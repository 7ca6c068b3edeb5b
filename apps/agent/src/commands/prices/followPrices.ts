import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit } from '@rackfair/rules/money'
import { updateNodeCall } from '@rackfair/sdk'
import { type ChainNode, openChain } from '../../chain/read/chainView.ts'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { applyRules, type PriceChange } from '../../config/priceRules.ts'
import type { Output } from '../output.ts'
import type { PlannedStep } from '../providerPlan.ts'
import { summaryOf } from '../register.ts'
import { sendAsProvider } from '../sendSteps.ts'
import { readOthersPrices } from './othersPrices.ts'

const HOUR_MS = 3_600_000

interface Logged {
  time: string
  node: string
  changes: { part: string; model: string; fromUsd: string; toUsd: string; medianUsd: string; others: number }[]
}

/**
 * Moves the prices of unsold nodes by the configured rules. Only the provider's own account can change prices: without its key the command
 * prints what the wallet has to send. Sent changes are logged, and a node's price is then kept for as long as the rules require.
 */
export async function followPrices(
  config: AgentConfig,
  data: string,
  { dryRun, now = Date.now }: { dryRun: boolean; now?: () => number },
  output: Output,
): Promise<void> {
  const rules = config.priceRules
  if (!rules) throw new AppError('bad_request', 'the configuration has no priceRules; no price was changed')
  const chain = await openChain(config)
  const log = join(data, 'price-changes.jsonl')
  const changedAt = readChanges(log)
  const nodes = (await chain.nodes()).toSorted((a, b) => Number(a.id - b.id))
  const resting = nodes.filter((node) => now() - (changedAt.get(String(node.id)) ?? 0) < rules.everyHours * HOUR_MS)
  const open = nodes.filter((node) => !node.sold && !resting.includes(node))
  for (const node of nodes) if (node.sold) output.say(`node ${node.id}: held by order ${node.orderId}, keeps its price`)
  for (const node of resting) if (!node.sold) output.say(`node ${node.id}: changed less than ${rules.everyHours} h ago`)
  const othersOf = await readOthersPrices(config.platforms, config.provider, open.flatMap(partsOf))
  const planned = open.flatMap((node) => {
    const { next, changes } = applyRules(inputOf(node), rules, othersOf)
    return changes.length === 0 ? [] : [{ node, next, changes }]
  })
  const steps = planned.map(({ node, next, changes }): PlannedStep => {
    const title = `node ${node.id}: ${changes.map(sentenceOf).join('; ')}`
    output.say(title)
    return { title, call: updateNodeCall(chain.addresses, node.id, next) }
  })
  if (dryRun) return output.result({ planned: steps.map(({ title }) => title), done: [], open: [] }, 'Nothing was sent.')
  const done: Awaited<ReturnType<typeof sendAsProvider>>['done'] = []
  const waiting: Awaited<ReturnType<typeof sendAsProvider>>['open'] = []
  for (const [index, step] of steps.entries()) {
    const sent = await sendAsProvider(chain, config.rpcUrl, config.provider, [step], output)
    done.push(...sent.done)
    waiting.push(...sent.open)
    const one = planned[index]
    if (one && sent.done.length > 0)
      appendFileSync(log, `${JSON.stringify(entryOf(one.node, one.changes, now()))}\n`, { mode: 0o600 })
  }
  output.result({ planned: steps.map(({ title }) => title), done, open: waiting }, summaryOf({ done, open: waiting }))
}

const usd = (wei: bigint): string => formatCredit(wei, { max: 9 })

const sentenceOf = ({ part, model, fromWei, toWei, medianWei, others }: PriceChange): string =>
  `${[part, model].filter(Boolean).join(' ')} from ${usd(fromWei)} to ${usd(toWei)} USD (median of ${others} others ${usd(medianWei)})`

const entryOf = (node: ChainNode, changes: readonly PriceChange[], now: number): Logged => ({
  ...{ time: new Date(now).toISOString(), node: String(node.id) },
  changes: changes.map(({ part, model, fromWei, toWei, medianWei, others }) => ({
    ...{ part, model, fromUsd: usd(fromWei), toUsd: usd(toWei), medianUsd: usd(medianWei), others },
  })),
})

const partsOf = ({ cpuModel, gpuModel, nCPU, nGPU, nMEM, nDISK }: ChainNode) => [
  ...(nCPU > 0 ? [{ part: 'cpu' as const, model: cpuModel }] : []),
  ...(nGPU > 0 ? [{ part: 'gpu' as const, model: gpuModel }] : []),
  ...(nMEM > 0 ? [{ part: 'memory' as const, model: '' }] : []),
  ...(nDISK > 0 ? [{ part: 'disk' as const, model: '' }] : []),
]

const inputOf = ({ cpuModel, gpuModel, nCPU, core, nGPU, nMEM, nDISK, pCPU, pGPU, pMEM, pDISK }: ChainNode) => ({
  ...{ cpuModel, gpuModel, nCPU, core, nGPU, nMEM, nDISK, pCPU, pGPU, pMEM, pDISK },
})

/** When each node was last changed, in Unix milliseconds. Incomplete lines are ignored. */
function readChanges(file: string): Map<string, number> {
  const found = new Map<string, number>()
  if (!existsSync(file)) return found
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      const { node, time } = JSON.parse(line) as Logged
      found.set(node, Date.parse(time))
    } catch {
      // The last line of a killed process.
    }
  }
  return found
}
