import { execFile } from 'node:child_process'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { connectMarket, type FoundNode, readMarket, sendCall, updateNodeCall, waitForReceipt, withAccount } from '@rackfair/sdk'
import { builtProgram, developmentAccounts, pidsOf, type RunningMarket, startMarket, whyItRests } from '@rackfair/testkit'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { missingPackages } from '../../../scripts/systemPackages.mjs'

const PROGRAM = await builtProgram('cli')
const KEY = generatePrivateKey()
const missing = missingPackages('provider') ?? ['a Debian system']
const noEngine =
  missing.length > 0 ? `no container engine: ${missing.join(', ')}` : process.getuid?.() === 0 ? undefined : 'not root'
const noProvider = noEngine ?? whyItRests('a job on verified hardware')

describe.skipIf(noProvider)(`hardware requirements on a local market${noProvider ? ` (${noProvider})` : ''}`, () => {
  let market: RunningMarket
  beforeAll(async () => {
    market = await startMarket({ agent: true, monitors: true })
    expect((await rackfair(['faucet'])).code).toBe(0)
    // Monitors are drawn from the first period that begins after they joined.
    const proven = async () =>
      expect((await machines()).map(({ verification }) => verification?.outcome)).toEqual(['passed', 'passed'])
    await vi.waitFor(proven, { timeout: 540_000, interval: 5_000 })
  })
  afterAll(() => market?.stop())

  it('runs a job on the node whose class is proven, not on a cheaper one without proof', async () => {
    for (const pid of pidsOf(market.stateDir, 'monitor')) process.kill(pid, 'SIGSTOP')
    try {
      // Its status is unknown until monitors have tested the current revision.
      await revise(2n)
      const isUnknown = async () => {
        const [cheapest] = await machines()
        expect({ nodeId: cheapest?.nodeId, verification: cheapest?.verification }).toEqual({ nodeId: 2, verification: undefined })
      }
      await vi.waitFor(isUnknown, { timeout: 60_000 })
      const [unproven, proven] = await machines()
      expect(proven).toMatchObject({ nodeId: 1, verification: { outcome: 'passed', hardwareClass: 1 } })

      const wish = ['--min-class', '1', '--max-age', '24', '--yes']
      expect(await rackfair(['buy', unproven?.machine ?? '', ...wish])).toMatchObject({
        ...{ code: 7, stdout: '', stderr: expect.stringContaining('hardware_not_verified') },
      })
      const job = ['--preset', 'nginx', '--', 'nginx', '-v']
      expect(await rackfair(['run', '--cheapest', '--min-class', '2', '--yes', ...job])).toMatchObject({
        ...{ code: 125, stderr: expect.stringContaining('not_found') },
      })
      expect(await orders()).toEqual([])

      expect(await rackfair(['run', '--cheapest', ...wish, ...job])).toMatchObject({
        ...{ code: 0, stderr: expect.stringMatching(/is bought for [\s\S]*nginx version[\s\S]*is closed/) },
      })
      expect(await orders()).toEqual([expect.objectContaining({ nodeId: 1, standing: 'closed' })])
    } finally {
      for (const pid of pidsOf(market.stateDir, 'monitor')) process.kill(pid, 'SIGCONT')
    }
  })

  /** The provider lists a node at a fifth of its price. */
  async function revise(nodeId: bigint): Promise<void> {
    const provider = withAccount(await connectMarket({ platform: market.url }), developmentAccounts().provider)
    const { client, addresses, wallet } = provider
    const nodes = await readMarket(client, addresses, 'registry', 'list_node', [wallet.account.address, 0n, 2n])
    const offer = nodes.find(({ id }) => id === nodeId)
    if (!offer) throw new Error(`there is no node ${nodeId}`)
    const cheaper = { ...offer, pCPU: ONE_CREDIT_WEI / 1_000n, pMEM: 0n, pDISK: 0n }
    await waitForReceipt(client, await sendCall(client, wallet, updateNodeCall(addresses, nodeId, cheaper)))
  }

  type Listed = Pick<FoundNode, 'nodeId' | 'verification'> & { machine: string }
  const machines = async (): Promise<Listed[]> => JSON.parse((await rackfair(['search', '--json'])).stdout).nodes
  const orders = async (): Promise<object[]> => JSON.parse((await rackfair(['ps', '--all', '--json'])).stdout).orders

  function rackfair(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: undefined, RACKFAIR_KEY: KEY, RACKFAIR_PLATFORM: market.url }
    return new Promise((resolve) => {
      const told = (error: Error | null, stdout: string, stderr: string) =>
        resolve({ code: Number((error as { code?: number } | null)?.code ?? 0), stdout, stderr })
      execFile(process.execPath, [PROGRAM, ...args], { env }, told).stdin?.end()
    })
  }
})
