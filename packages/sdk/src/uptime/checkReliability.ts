import { reliabilityAnswer } from '@rackfair/protocol/reliability'
import { orderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { appError } from '../errors/appError.ts'
import type { Market } from '../market/connectMarket.ts'
import { voteOf } from './publishedReports.ts'
import { readMonitors } from './readMonitors.ts'
import { readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'
import { type EvidenceReader, type RatedMachine, type ReliabilityVerdict, verifyReliability } from './verifyReliability.ts'

export interface ReliabilityCheck extends ReliabilityVerdict {
  /** Reports that monitors publish under their roots but the platform does not show: it withholds them, or has not read them yet. */
  withheld: number
}

interface Shape<T> {
  safeParse(answer: unknown): { success: true; data: T } | { success: false }
}

/**
 * Asks the platform for the reliability of a machine or a provider and for the evidence, and recomputes the figure from the chain.
 *
 * @param options.monitors Also asks every monitor, at the URL it announced on the chain, for what it published, which reveals evidence that
 *   the platform withholds. One request per monitor and period.
 * @example const { agrees, found, withheld } = await checkReliability(market, { provider, nodeId: 1n }, { monitors: true })
 * @throws AppError `not_found`, `platform_unreachable`, `rpc_unreachable`, `answer_malformed`, `bad_request` for malformed evidence.
 */
export async function checkReliability(
  market: Pick<Market, 'api' | 'client' | 'chainId' | 'addresses'>,
  machine: RatedMachine,
  options: { monitors?: boolean } = {},
): Promise<ReliabilityCheck> {
  const { api, client, addresses } = market
  const { provider, nodeId } = machine
  const said = await (nodeId === undefined ? api.providerReliability(provider) : api.nodeReliability(provider, Number(nodeId)))
  const answer = reliabilityAnswer(said, 'reliability')
  const published = options.monitors ? await publishedBy(market) : async () => []
  let withheld = 0
  const read: EvidenceReader = async (order, periods) => {
    const { periods: shown } = readAs(orderEvidenceAnswer, await api.orderEvidence(order.id))
    const own = await published(order, periods)
    for (const { period, votes } of own) {
      const known = shown.find((one) => one.period === period)
      const told = new Set(known?.votes.map((vote) => lowerCaseAddress(vote.monitor)))
      const missing = votes.filter(({ monitor }) => !told.has(monitor))
      withheld += missing.length
      if (!known) shown.push({ period, votes: missing })
      else known.votes.push(...missing)
    }
    return { periods: shown }
  }
  const verdict = await verifyReliability(client, addresses.access, machine, answer, read)
  return { ...verdict, withheld }
}

const hex = (bits: bigint) => `0x${bits.toString(16)}`

function readAs<T>(shape: Shape<T>, answer: unknown): T {
  const read = shape.safeParse(answer)
  if (!read.success) throw appError('bad_request', 'the platform’s answer about reliability has another form')
  return read.data
}

/** What the monitors themselves publish about an order; those that do not answer are skipped. */
async function publishedBy({ client, chainId, addresses }: Pick<Market, 'client' | 'chainId' | 'addresses'>) {
  const contract = await readMonitors(client, addresses.access)
  if (!contract) return async () => []
  const urls = await readMonitorUrls(client, contract.address, chainId)
  const once = new Map<string, ReturnType<typeof readReports>>()
  const reportsOf = (monitor: (typeof urls)[number], period: number) => {
    const key = `${monitor.monitor} ${period}`
    const known = once.get(key) ?? readReports(client, contract.address, chainId, monitor, period)
    once.set(key, known)
    return known
  }
  return async (order: Parameters<EvidenceReader>[0], periods: readonly number[]) => {
    const found = []
    for (const period of periods) {
      const reports = await Promise.all(urls.map((monitor) => reportsOf(monitor, period)))
      const votes = reports.flatMap((one) => {
        const vote = one && voteOf(one, order.market, BigInt(order.id))
        if (!vote) return []
        const { observed, down } = vote.report
        return [{ monitor: vote.monitor, observed: hex(observed), down: hex(down), proof: vote.proof }]
      })
      if (votes.length > 0) found.push({ period, votes })
    }
    return found
  }
}
