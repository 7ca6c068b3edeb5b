import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stripVTControlCharacters } from 'node:util'
import { createCalendar } from '@rackfair/rules/uptime/epoch'
import { createApi } from '@rackfair/sdk'
import { verifyReceipt } from '@rackfair/sdk/receipt'
import { readMonitors } from '@rackfair/sdk/uptime'
import { type Buyer, createBuyer, type ProcessName, pidOf, startMarket } from '@rackfair/testkit'
import { type Address, createPublicClient, http } from 'viem'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainStateFile, saveState } from './chainState.ts'
import { rpc } from './rpc.ts'
import { whyNoProvider } from './testing/whyNoProvider.ts'

const reason = whyNoProvider()
const LONG = { timeout: 120_000, interval: 200 }

test(`completes a purchase through kill -9 of every process in turn, and does not restart an agent on another chain${reason ? ` (${reason})` : ''}`, {
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
  // The chain may have lost its last seconds; until it mines a block, everything else shows the earlier state.
  await vi.waitFor(() => rpc(market.rpcUrl, 'anvil_mine', ['0x1']), LONG)
  await vi.waitFor(async () => expect((await fetch(`${market.url}/readyz`)).status).toBe(200), LONG)
  const kept = { status: 2, deployed: true, totalValue: buyer.order.totalValue }
  await vi.waitFor(async () => expect(await buyer.api.order(buyer.order.id)).toMatchObject(kept), LONG)

  const clean = await buyer.api.deploy(await buyer.sign('clean'))
  await reaches(buyer, clean.id, 'Cleaned')
  const again = await buyer.api.deploy(await buyer.sign('nginx'))
  await reaches(buyer, again.id, 'Running')

  const agent = pidOf(market.stateDir, 'agent')
  const memory = new DatabaseSync(join(market.stateDir, 'agent', 'data', 'agent.sqlite'), { timeout: 60_000 })
  const otherChain = `0x${'0'.repeat(64)}`
  memory.prepare("UPDATE fact SET value = ? WHERE key = 'genesis'").run(otherChain)
  process.kill(agent, 'SIGKILL')
  const ended = /agent {4}\| ended for good; its lines above say why/
  await vi.waitFor(() => expect(stripVTControlCharacters(market.output())).toMatch(ended), LONG)
  const said = stripVTControlCharacters(market.output())
  expect(said).toMatch(/is a different chain from the one this agent worked on: .* Nothing was changed, orders keep running/)
  expect(said.slice(said.search(ended)), 'it is not started again').not.toMatch(/agent {4}\| (ended \(|is back)/)
  expect(() => pidOf(market.stateDir, 'agent')).toThrow('agent does not run')
  expect(memory.prepare("SELECT value FROM fact WHERE key = 'genesis'").get()).toEqual({ value: otherChain })
  memory.close()
  expect((await fetch(`${market.url}/readyz`)).status).toBe(200)

  expect(processesOf(market.stateDir)).toContain('conmon')
  await market.end('SIGINT')
  expect(stripVTControlCharacters(market.output())).toContain('1 application that was still running was stopped.')
  // The engine's helper that cleans up after a stopped container may end after the market.
  await vi.waitFor(() => expect(processesOf(market.stateDir), 'nothing outlives the market').toEqual([]), LONG)
})

// Ten minutes, most of them spent waiting for the chain's clock.
if (process.env.RACKFAIR_DEEP === '1')
  test('refunds an outage and keeps its evidence through kill -9 of every process', {
    timeout: 1_800_000,
    skip: reason !== undefined,
  }, async () => {
    const { market, buyer, kill } = await setup({ monitors: true })
    const deployment = await buyer.api.deploy(await buyer.sign('nginx'))
    await reaches(buyer, deployment.id, 'Running')
    const client = createPublicClient({ transport: http(market.rpcUrl), cacheTime: 0 })
    const { access } = await buyer.api.config()
    const contract = await readMonitors(client, access as Address)
    if (!contract) throw new Error('no monitors')
    const calendar = createCalendar(contract.pace)
    const timeOf = async () => Number((await client.getBlock()).timestamp)
    /** Blocks come with the transactions of the monitors, and at least with these. */
    const reachTime = (time: number) =>
      vi.waitFor(
        async () => {
          await rpc(market.rpcUrl, 'anvil_mine', ['0x1'])
          expect(await timeOf()).toBeGreaterThanOrEqual(time)
        },
        { timeout: 600_000, interval: 1000 },
      )
    const evidence = () => {
      const file = new DatabaseSync(join(market.stateDir, 'agent', 'data', 'evidence.sqlite'), {
        readOnly: true,
        timeout: 60_000,
      })
      const words = file.prepare('SELECT epoch, monitor FROM acknowledgement').all()
      file.close()
      return words.map(({ epoch, monitor }) => `${epoch} ${monitor}`)
    }

    // The first period for which they are drawn, by what they commit to after the one in which they joined.
    const period = calendar.periodAt(await timeOf()) + 2
    await reachTime(calendar.startOf(period - 1))
    const { epochSeconds, windowSeconds } = calendar
    const from = calendar.startOf(period) + 3 * epochSeconds
    await reachTime(from)
    const agent = pidOf(market.stateDir, 'agent')
    process.kill(agent, 'SIGSTOP')
    await reachTime(from + 3 * epochSeconds)
    process.kill(agent, 'SIGCONT')
    await kill('monitor')
    await reachTime(from + 5 * epochSeconds)
    const known = evidence()
    expect(known.length).toBeGreaterThan(3)
    await kill('agent')
    expect(evidence()).toEqual(expect.arrayContaining(known))

    const end = calendar.endOf(period)
    for (const [name, time] of [
      ['monitor', end + windowSeconds / 2],
      ['chain', end + 1.5 * windowSeconds],
      ['platform', end + 2.2 * windowSeconds],
      ['monitor', end + 2.5 * windowSeconds],
    ] as const) {
      await reachTime(Math.floor(time))
      await kill(name)
    }
    await vi.waitFor(async () => expect((await buyer.api.order(buyer.order.id)).down).toBeGreaterThan(0), {
      ...{ timeout: 600_000, interval: 1000 },
    })
    const { down } = await buyer.api.order(buyer.order.id)
    // Of three epochs without a response, those in which a process came back may count either way.
    expect(down % epochSeconds).toBe(0)
    expect([2, 3, 4].map((epochs) => epochs * epochSeconds)).toContain(down)
    const proofs = await buyer.api.orderEvidence(buyer.order.id)
    expect(proofs.periods.find((one) => one.period === period)?.votes).toHaveLength(3)
    const receipt = await buyer.api.receipt(buyer.order.id)
    const { checks } = await verifyReceipt(client, access as Address, receipt, proofs)
    expect(checks.flatMap(({ differences }) => differences)).toEqual([])
    expect(evidence()).toEqual(expect.arrayContaining(known))
  })

/** The programs whose command lines name a folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const [program = '', ...args] = readFileSync(`/proc/${Number(pid)}/cmdline`, 'utf8').split('\0')
      return args.join(' ').includes(folder) ? [basename(program)] : []
    } catch {
      return []
    }
  })
}

async function reaches(buyer: Buyer, id: string, phase: string): Promise<void> {
  await vi.waitFor(async () => expect((await buyer.api.deployment(id)).phase).toBe(phase), LONG)
}

async function setup(options: { monitors?: boolean } = {}) {
  const market = await startMarket({ agent: true, ...options })
  onTestFinished(market.stop, 180_000)
  const kill = async (name: ProcessName) => {
    const killed = pidOf(market.stateDir, name)
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(pidOf(market.stateDir, name)).not.toBe(killed), LONG)
  }
  await vi.waitFor(async () => expect((await createApi({ baseUrl: market.url }).rack()).slots[0]?.state).toBe('idle'), LONG)
  const buyer = await createBuyer(market.url)
  // A killed chain may lose its last seconds, and the purchase with it.
  await saveState({ rpcUrl: market.rpcUrl, stateFile: chainStateFile(market.stateDir) })
  return { market, buyer, kill }
}
