import { expect, test } from 'vitest'
import { buildReportTree, type DowntimeReport, reportTree } from './reports.ts'

/** Roots that monitors have committed to stay what they are. */
test.each([
  [1, '0x0d5416c7486c28cb99c34db25c8a0f3354c98ff02b395c4338071abf67b76cae'],
  [2, '0xf51c7ecb7208fe2f6294f690d62d928a8cdb9631558966f8aa04c78f8149e780'],
  [3, '0x890f826078bc3cf3261caf4375e3d50feb68877ebb1ff0161765df091f7e8a29'],
  [7, '0xba2551770cfd338a82bbbe2d5a9c3264384ba3fdda86ca51ff6a2565b23e72c7'],
  [300, '0x6150b41ca4040bb08fe9167fa3eb29354edf4736836d5d549f8f1d37c21860cb'],
])('builds a tree of %i reports with the same root and proofs at once and with pauses', async (count, root) => {
  const reports = reportsOf(count)
  const atOnce = reportTree(1000, reports)
  const withPauses = await buildReportTree(1000, reports)
  expect(atOnce.root).toBe(root)
  expect(withPauses.root).toBe(root)
  for (const index of reports.keys()) expect(withPauses.proof(index)).toEqual(atOnce.proof(index))
})

test('lets other work run while it builds a tree of many reports', async () => {
  let turns = 0
  let isBuilt = false
  const turn = () => {
    turns += 1
    if (!isBuilt) setImmediate(turn)
  }
  setImmediate(turn)
  await buildReportTree(1000, reportsOf(2_000))
  isBuilt = true
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('refuses a tree of no reports, however it is built', async () => {
  expect(() => reportTree(1000, [])).toThrow('needs a leaf')
  await expect(buildReportTree(1000, [])).rejects.toThrow('needs a leaf')
})

function reportsOf(count: number): DowntimeReport[] {
  return Array.from({ length: count }, (_, index) => ({
    market: index % 2 === 0 ? `0x${'44'.repeat(20)}` : `0x${'55'.repeat(20)}`,
    orderId: BigInt(index + 1),
    observed: 2n ** 96n - 1n,
    down: BigInt(index),
  }))
}
