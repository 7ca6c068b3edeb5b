import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildReportTree, type DowntimeReport, reportTree } from '@rackfair/sdk/uptime'
import { table } from '../platform/table.ts'

/** How long the tree of as many reports as a monitor may publish keeps other work waiting, at once and with pauses. */
const REPORTS = 100_000
const PERIOD = 1000

const reports: DowntimeReport[] = Array.from({ length: REPORTS }, (_, index) => ({
  market: `0x${'44'.repeat(20)}`,
  orderId: BigInt(index + 1),
  observed: 2n ** 96n - 1n,
  down: BigInt(index),
}))

/** Seconds that it took, and the longest that something else had to wait. */
async function measure(work: () => unknown) {
  let last = performance.now()
  let longest = 0
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(turn, 1)
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1_000
  await sleep(10)
  clearInterval(timer)
  return { seconds, longest: longest / 1_000 }
}

const atOnce = await measure(() => reportTree(PERIOD, reports))
const withPauses = await measure(() => buildReportTree(PERIOD, reports))
table(
  ['tree of 100,000 reports', 'seconds', 'longest wait of others, seconds', 'relative to at once'],
  Object.entries({ 'at once': atOnce, 'with pauses': withPauses }).map(([how, { seconds, longest }]) => [
    how,
    seconds.toFixed(2),
    longest.toFixed(3),
    `${(seconds / atOnce.seconds).toFixed(2)} / ${(longest / atOnce.longest).toFixed(4)}`,
  ]),
)
console.log(`\nload ${readFileSync('/proc/loadavg', 'utf8').slice(0, 14)}`)
