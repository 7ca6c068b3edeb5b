import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orderShape, receiptShape } from '@rackfair/protocol/orders'
import { type OutageWire, type ReliabilityAnswer, reliabilityAnswer } from '@rackfair/protocol/reliability'
import type { WireOf } from '@rackfair/protocol/shape'
import { type OrderEvidenceAnswer, orderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { zodOf } from '@rackfair/protocol/zodOf'
import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Chain } from '@rackfair/testkit'
import { pino } from 'pino'
import { startPlatform } from '../../../platform/src/startPlatform.ts'
import { settingsFor } from '../../../platform/test/startMarket.ts'

const MAX_WAIT_MS = 90_000

export type Follower = Awaited<ReturnType<typeof followMarket>>

/** A platform that follows the chain, and the requests of the order page. */
export async function followMarket(chain: Chain) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-platform-'))
  const platform = await startPlatform(settingsFor(chain, folder), pino({ level: 'silent' }))
  /** Polls until the answer is accepted, since the platform may not have indexed everything yet. */
  const get = async <T>(path: string, read: (body: unknown) => T, isRight: (answer: T) => boolean): Promise<T> => {
    for (const deadline = Date.now() + MAX_WAIT_MS; ; await sleep(50)) {
      const answer = await fetch(`${platform.url}${path}`)
      const text = await answer.text()
      const body = answer.ok ? read(JSON.parse(text)) : undefined
      if (body !== undefined && isRight(body)) return body
      if (Date.now() > deadline) throw new Error(`${path} still answers ${answer.status} ${text.slice(0, 2_000)}`)
    }
  }
  const reliability = (provider: string, nodeId: number, isRight: (answer: ReliabilityAnswer) => boolean) =>
    get(`/v1/nodes/${lowerCaseAddress(provider)}/${nodeId}/reliability`, (body) => zodOf(reliabilityAnswer).parse(body), isRight)
  return {
    url: platform.url,
    reliability,
    order: (id: bigint, isRight: (order: WireOf<typeof orderShape>) => boolean) =>
      get(`/v1/orders/${id}`, (body) => zodOf(orderShape).parse(body), isRight),
    receipt: (id: bigint, isRight: (receipt: WireOf<typeof receiptShape>) => boolean) =>
      get(`/v1/orders/${id}/receipt`, (body) => zodOf(receiptShape).parse(body), isRight),
    evidence: (id: bigint, isRight: (evidence: OrderEvidenceAnswer) => boolean = () => true) =>
      get(`/v1/orders/${id}/evidence`, (body) => orderEvidenceAnswer.parse(body), isRight),
    /** The newest outage of a node, once it is the one the caller waits for. */
    async outage(provider: string, nodeId: number, isRight: (outage: OutageWire) => boolean): Promise<OutageWire> {
      const { outages } = await reliability(provider, nodeId, ({ outages: [one] }) => one !== undefined && isRight(one))
      return outages[0] as OutageWire
    },
    async stop() {
      await platform.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
