import { createApi } from '@rackfair/sdk'
import { type Buyer, createBuyer, type ProcessName, pidOf, startMarket } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rpc } from './chain.ts'
import { whyNoProvider } from './whyNoProvider.ts'

const reason = whyNoProvider()
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

  await kill('chain')
  // The chain may have lost its last second; until it makes a block, everything else shows what was before.
  await vi.waitFor(() => rpc(market.rpcUrl, 'anvil_mine', ['0x1']), LONG)
  await vi.waitFor(async () => expect((await fetch(`${market.url}/readyz`)).status).toBe(200), LONG)
  const kept = { status: 2, deployed: true, totalValue: buyer.order.totalValue }
  await vi.waitFor(async () => expect(await buyer.api.order(buyer.order.id)).toMatchObject(kept), LONG)

  const clean = await buyer.api.deploy(await buyer.sign('clean'))
  await reaches(buyer, clean.id, 'Cleaned')
})

async function reaches(buyer: Buyer, id: string, phase: string): Promise<void> {
  await vi.waitFor(async () => expect((await buyer.api.deployment(id)).phase).toBe(phase), LONG)
}

async function setup() {
  const market = await startMarket({ agent: true })
  onTestFinished(market.stop, 60_000)
  const kill = async (name: ProcessName) => {
    const killed = pidOf(market.stateDir, name)
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(pidOf(market.stateDir, name)).not.toBe(killed), LONG)
  }
  await vi.waitFor(async () => expect((await createApi({ baseUrl: market.url }).rack()).slots[0]?.state).toBe('idle'), LONG)
  return { market, buyer: await createBuyer(market.url), kill }
}
