import { createServer } from 'node:http'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchReports, isUnderRoot, voteOf, writeReports } from './publishedReports.ts'
import { readLimited } from './readLimited.ts'
import { reportCommitment, reportTree, rootReachedBy } from './reports.ts'

const market = lowerCaseAddress(`0x${'44'.repeat(20)}`)
const other = lowerCaseAddress(`0x${'55'.repeat(20)}`)
const published = {
  ...{ monitor: lowerCaseAddress(`0x${'aa'.repeat(20)}`), period: 1000 },
  reports: [
    { market, orderId: 7n, observed: 2n ** 96n - 1n, down: 0n },
    { market, orderId: 2n ** 64n - 1n, observed: 6n, down: 2n },
    { market: other, orderId: 7n, observed: 1n, down: 1n },
  ],
}
const text = writeReports(published)

const answers = new Map<string, { status: number; body: string; location?: string }>()
const server = createServer(({ url = '' }, response) => {
  const { status, body, location } = answers.get(url) ?? { status: 404, body: '' }
  response.writeHead(status, location === undefined ? {} : { location }).end(body)
})
let peer = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  peer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const answering = (body: string, status = 200) => {
  answers.set('/v1/reports/1000', { status, body })
  return fetchReports(peer, DEVELOPMENT_CHAIN_ID, 1000)
}
const changed = (change: object) => JSON.stringify({ ...JSON.parse(text), ...change })
const withReport = (change: object) => changed({ reports: [{ ...JSON.parse(text).reports[0], ...change }] })

test('parses published reports', async () => {
  expect(await answering(text)).toEqual(published)
  expect(await answering(changed({ monitor: `0x${'AA'.repeat(20)}` }))).toEqual(published)
  expect((await answering(withReport({ market: `0x${'AB'.repeat(20)}` }))).reports[0]?.market).toBe(`0x${'ab'.repeat(20)}`)
})

test.each([
  ['another period', changed({ period: 999 })],
  ['no JSON', '<html>'],
  ['nothing', ''],
  ['more epochs than a period has', withReport({ down: `0x1${'0'.repeat(24)}` })],
  ['a bitmap in decimals', withReport({ observed: '6' })],
  ['an order that is none', withReport({ orderId: '-7' })],
  ['an order that no chain can count', withReport({ orderId: String(2n ** 64n) })],
  ['a market without an address', withReport({ market: '0x44' })],
])('a response of %s is refused', async (_, body) => {
  await expect(answering(body)).rejects.toThrow()
})

test('refuses errors and redirects, whatever they contain', async () => {
  await expect(answering(text, 500)).rejects.toThrow('answers 500')
  answers.set('/v1/reports/999', { status: 302, body: '', location: '/v1/reports/1000' })
  answers.set('/v1/reports/1000', { status: 200, body: changed({ period: 999 }) })
  await expect(fetchReports(peer, DEVELOPMENT_CHAIN_ID, 999)).rejects.toThrow()
})

test('reads a response up to its limit in bytes', async () => {
  const halves = [Buffer.from([0xc3]), Buffer.from([0xbc, 0x6e, 0x66])]
  expect(await readLimited(halves, 4)).toBe('ünf')
  await expect(readLimited(halves, 3)).rejects.toThrow('too large')
  expect(await readLimited([], 0)).toBe('')
})

test('returns a report with its proof against the root', () => {
  const { root } = reportTree(1000, published.reports)
  for (const report of published.reports) {
    const vote = voteOf(published, report.market, report.orderId)
    expect(vote).toMatchObject({ monitor: published.monitor, report: { observed: report.observed, down: report.down } })
    expect(rootReachedBy(1000, report, vote?.proof ?? [])).toBe(root)
    expect(rootReachedBy(1001, report, vote?.proof ?? [])).not.toBe(root)
    expect(rootReachedBy(1000, { ...report, down: report.down ^ 1n }, vote?.proof ?? [])).not.toBe(root)
  }
  expect(voteOf(published, market, 8n)).toBeUndefined()
  expect(voteOf(published, other, 2n ** 64n - 1n)).toBeUndefined()
})

test('finds two reports of one order under no root', async () => {
  const twice = { ...published, reports: [...published.reports, { market, orderId: 7n, observed: 1n, down: 1n }] }
  expect(await isUnderRoot({ ...published }, reportTree(1000, published.reports).root)).toBe(true)
  expect(await isUnderRoot(twice, reportTree(1000, published.reports).root)).toBe(false)
})

test('fetches the tree of a monitor once for the votes of many orders', () => {
  let reads = 0
  const counted = {
    ...{ market, orderId: 1n, observed: 1n },
    get down() {
      reads += 1
      return 0n
    },
  }
  const own = { ...published, reports: [counted, ...published.reports] }
  for (let round = 0; round < 3; round += 1) for (const { market, orderId } of published.reports) voteOf(own, market, orderId)
  expect(reads).toBe(1)
})

test('binds a monitor to period and root by a salted commitment', () => {
  const [one, two] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`] as const
  const commitments = [
    ...[reportCommitment(market, 1000, one, one), reportCommitment(other, 1000, one, one)],
    ...[
      reportCommitment(market, 1001, one, one),
      reportCommitment(market, 1000, two, one),
      reportCommitment(market, 1000, one, two),
    ],
  ]
  expect(new Set(commitments).size).toBe(commitments.length)
})
