import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stripVTControlCharacters } from 'node:util'
import { createApi } from '@rackfair/sdk'
import { type Buyer, createBuyer, type ProcessName, pidOf, startMarket } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rpc } from './chain.ts'
import { whyNoProvider } from './whyNoProvider.ts'

const reason = whyNoProvider()
const LONG = { timeout: 120_000, interval: 200 }

test(`a purchase goes on through kill -9 of every process in turn, and an agent on another chain is not started again${reason ? ` (${reason})` : ''}`, {
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

  const agent = pidOf(market.stateDir, 'agent')
  const memory = new DatabaseSync(join(market.stateDir, 'agent', 'data', 'agent.sqlite'), { timeout: 60_000 })
  const otherChain = `0x${'0'.repeat(64)}`
  memory.prepare("UPDATE fact SET value = ? WHERE key = 'genesis'").run(otherChain)
  process.kill(agent, 'SIGKILL')
  const ended = /agent {4}\| ended for good; its lines above say why/
  await vi.waitFor(() => expect(stripVTControlCharacters(market.output())).toMatch(ended), LONG)
  const said = stripVTControlCharacters(market.output())
  expect(said).toMatch(/is another chain than the one this agent worked on: .* Nothing was changed, orders run on/)
  expect(said.slice(said.search(ended)), 'it is not started again').not.toMatch(/agent {4}\| (ended \(|is back)/)
  expect(() => pidOf(market.stateDir, 'agent')).toThrow('agent does not run')
  expect(memory.prepare("SELECT value FROM fact WHERE key = 'genesis'").get()).toEqual({ value: otherChain })
  memory.close()
  expect((await fetch(`${market.url}/readyz`)).status).toBe(200)
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
