import { expect, test } from 'vitest'
import { buildReportTree, type DowntimeReport, reportTree } from './reports.ts'

/** Roots that monitors have committed to stay what they are. */
test.each([
  [1, '0x0d5416c7486c28cb99c34db25c8a0f3354c98ff02b395c4338071abf67b76cae'],
  [2, '0xecb0602b9b63f51a111b033cd1cd7e36539c38ee1ec2fa739327667d465619cb'],
  [3, '0xa702a3635d245f9d0d428aab4b1da93e987667cf69520ea4e39cdd4cf5b800a5'],
  [7, '0x4ad9bae9ff3b4b02a5770928e52003627294bca28c081cd2ea4a7f5d6c7e5b06'],
  [300, '0xf91ee6866191c9ba9719f2a20fee969b5fe95a1120279daa44e2fb2cda6f3710'],
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

test('refuses two reports of one order', async () => {
  const [one, other] = reportsOf(3)
  await expect(buildReportTree(1000, [one, other, { ...one, down: 7n }] as DowntimeReport[])).rejects.toThrow('one place')
})

function reportsOf(count: number): DowntimeReport[] {
  return Array.from({ length: count }, (_, index) => ({
    market: index % 2 === 0 ? `0x${'44'.repeat(20)}` : `0x${'55'.repeat(20)}`,
    orderId: BigInt(index + 1),
    observed: 2n ** 96n - 1n,
    down: BigInt(index),
  }))
}
