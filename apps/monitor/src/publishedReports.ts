import type { DowntimeReport } from '@rackfair/sdk/uptime'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'

const MAX_BYTES = 16 * 1024 * 1024
const MAX_REPORTS = 100_000
const ANSWER_MS = 10_000

const address = z.string().regex(/^0x[0-9a-f]{40}$/i)
const bitmap = z.string().regex(/^0x[0-9a-f]{1,24}$/)
const shape = z.strictObject({
  monitor: address,
  period: z.number().int().min(0),
  reports: z
    .array(z.strictObject({ market: address, orderId: z.string().regex(/^\d{1,20}$/), observed: bitmap, down: bitmap }))
    .max(MAX_REPORTS),
})

/** What a monitor saw of every order in a period, in the order of its tree. */
export interface PublishedReports {
  monitor: Address
  period: number
  reports: DowntimeReport[]
}

/** As `GET /v1/reports/{period}` answers it: bitmaps in hex. */
export function writeReports({ monitor, period, reports }: PublishedReports): string {
  const hex = (bits: bigint) => `0x${bits.toString(16)}`
  return JSON.stringify({
    monitor,
    period,
    reports: reports.map(({ market, orderId, observed, down }) => ({
      ...{ market, orderId: String(orderId), observed: hex(observed), down: hex(down) },
    })),
  })
}

/** What another monitor publishes. Throws for anything that is not of the form. */
export async function fetchReports(peer: string, period: number): Promise<PublishedReports> {
  const answer = await fetch(`${peer}/v1/reports/${period}`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
  if (!answer.ok) throw new Error(`${peer} answers ${answer.status}`)
  const read = shape.parse(JSON.parse(await readLimited(answer)))
  if (read.period !== period) throw new Error(`${peer} answers another period`)
  const reports = read.reports.map(({ market, orderId, observed, down }) => ({
    ...{ market: getAddress(market), orderId: BigInt(orderId), observed: BigInt(observed), down: BigInt(down) },
  }))
  return { monitor: getAddress(read.monitor), period, reports }
}

async function readLimited(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
