import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { visitUrl } from '@rackfair/rules/deployment/visitUrl'
import { type Buyer, createBuyer, startMarket } from '@rackfair/testkit'

/**
 * From the signed deploy request to the first HTTP 200 of nginx through the gateway, with the image present, on a local market of its own.
 * Peer: the answer of the same running container, fetched through the same gateway.
 */
const RUNS = 5
/** An agent accepts a burst of requests for one order, and after that one at a time. */
const PAUSE_MS = 7_000
const market = await startMarket({ agent: true })
try {
  const buyer = await createBuyer(market.url)
  const rows: number[][] = []
  for (let run = 0; run < RUNS; run += 1) {
    rows.push(await deployOnce(buyer))
    await clean(buyer)
    await sleep(PAUSE_MS)
  }
  console.log('| run | request accepted, ms | first 200, ms | next 200, ms |\n|---|---|---|---|')
  for (const [index, row] of rows.entries()) console.log(`| ${index + 1} | ${row.map((ms) => ms.toFixed(0)).join(' | ')} |`)
  const medians = [0, 1, 2].map((column) => median(rows.map((row) => row[column] ?? 0)))
  console.log(`| median | ${medians.map((ms) => ms.toFixed(0)).join(' | ')} |`)
} finally {
  await market.stop()
}

async function deployOnce(buyer: Buyer): Promise<number[]> {
  const request = await buyer.sign('nginx')
  const visit = visitUrl(buyer.order, BigInt(buyer.order.id), buyer.account.address)
  const start = performance.now()
  await buyer.api.deploy(request)
  const accepted = performance.now()
  await firstOk(visit)
  const first = performance.now()
  await firstOk(visit)
  return [accepted - start, first - start, performance.now() - first]
}

async function clean(buyer: Buyer): Promise<void> {
  const { id } = await buyer.api.deploy(await buyer.sign('clean'))
  for (;;) {
    const { phase } = await buyer.api.deployment(id)
    if (phase === 'Cleaned') return
    if (phase === 'Failed') throw new Error('the clean failed')
    await sleep(100)
  }
}

async function firstOk(url: string): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const body = await follow(url).catch(() => undefined)
    if (body?.includes('nginx')) return
    await sleep(10)
  }
  throw new Error(`${url} did not answer within a minute`)
}

/** The Visit link sets a cookie and redirects to the application: fetch keeps no cookies, so they are carried over by hand. */
async function follow(url: string): Promise<string | undefined> {
  let at = url
  let cookie = ''
  for (let hop = 0; hop < 5; hop += 1) {
    const response = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    const set = response.headers.getSetCookie().map((one) => one.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    const location = response.headers.get('location')
    if (response.status === 200) return response.text()
    if (!location) return undefined
    at = new URL(location, at).href
  }
  return undefined
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
