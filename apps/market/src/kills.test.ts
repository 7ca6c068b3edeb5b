import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApi } from '@rackfair/sdk'
import { type Buyer, createBuyer, startMarket } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { missingPackages } from '../../../scripts/systemPackages.mjs'

const missing = missingPackages('provider') ?? ['a Debian system']
const reason =
  missing.length > 0 ? `no container engine: ${missing.join(', ')}` : process.getuid?.() !== 0 ? 'not root' : undefined
const LONG = { timeout: 120_000, interval: 200 }

test(`a purchase goes on through kill -9 of every process in turn${reason ? ` (${reason})` : ''}`, {
  timeout: 600_000,
  skip: reason !== undefined,
}, async () => {
  const { market, buyer, kill } = await setup()

  await kill('agent')
  const queued = await buyer.api.deploy(await buyer.sign('nginx'))
  await reaches(buyer, queued.id, 'Running')

  await kill('platform')
  await vi.waitFor(async () => expect((await buyer.api.order(buyer.order.id)).deployed).toBe(true), LONG)

  await kill('anvil')
  await vi.waitFor(async () => expect((await fetch(`${market.url}/readyz`)).status).toBe(200), LONG)
  const order = await buyer.api.order(buyer.order.id)
  expect(order).toMatchObject({ status: 2, deployed: true, totalValue: buyer.order.totalValue })

  const clean = await buyer.api.deploy(await buyer.sign('clean'))
  await reaches(buyer, clean.id, 'Cleaned')
})

async function reaches(buyer: Buyer, id: string, phase: string): Promise<void> {
  await vi.waitFor(async () => expect((await buyer.api.deployment(id)).phase).toBe(phase), LONG)
}

async function setup() {
  const market = await startMarket({ agent: true })
  onTestFinished(market.stop, 60_000)
  const pidOf = (name: string) => {
    const record = JSON.parse(readFileSync(join(market.stateDir, 'market.json'), 'utf8')) as { children: { pid: number }[] }
    return record.children.find(({ pid }) => commandLine(pid).includes(name))?.pid
  }
  const kill = async (name: string) => {
    const before = pidOf(name)
    if (before === undefined) throw new Error(`${name} does not run`)
    process.kill(before, 'SIGKILL')
    await vi.waitFor(() => {
      const now = pidOf(name)
      expect(now).toBeDefined()
      expect(now).not.toBe(before)
    }, LONG)
  }
  await vi.waitFor(async () => expect((await createApi({ baseUrl: market.url }).rack()).slots[0]?.state).toBe('idle'), LONG)
  return { market, buyer: await createBuyer(market.url), kill }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
