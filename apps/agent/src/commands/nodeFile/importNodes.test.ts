import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HDAccount } from 'viem'
import { parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { agentConfig } from '../../config/agentConfig.ts'
import { newInstance } from '../../runtime/engine/names.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { importNodes } from './importNodes.ts'

const HEAD = 'label,cpu-model,cpus,cores,cpu-price,memory'

describe('importing nodes, on a real chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-import-'))
  const file = join(folder, 'nodes.csv')
  const before = process.env.RACKFAIR_PROVIDER_KEY
  let market: Awaited<ReturnType<typeof setupVerify>>
  let said: string[] = []
  let result: { plan: { kind: string; label: string }[]; open?: object[] } = { plan: [] }

  beforeAll(async () => {
    market = await setupVerify(0)
  })
  afterEach(() => {
    if (before === undefined) delete process.env.RACKFAIR_PROVIDER_KEY
    else process.env.RACKFAIR_PROVIDER_KEY = before
  })
  afterAll(async () => {
    await market?.close()
    rmSync(folder, { recursive: true })
  })

  const run = async (lines: readonly string[], { dryRun = false, hasKey = true } = {}) => {
    said = []
    writeFileSync(file, `${[HEAD, ...lines].join('\n')}\n`)
    if (hasKey)
      process.env.RACKFAIR_PROVIDER_KEY = toHex((market.chain.accounts.provider as HDAccount).getHdKey().privateKey as Uint8Array)
    const { rpcUrl, chainId, deployment } = market.chain
    const config = agentConfig.parse({
      ...{ instance: newInstance(), chainId, rpcUrl, access: deployment.access, provider: market.provider, oversell: true },
      ...{ operatorKeyFile: join(folder, 'key'), platforms: ['http://127.0.0.1:1'] },
      gateway: { host: '127.0.0.1', port: 7070, publicHost: '127.0.0.1' },
    })
    await importNodes({ config, file: join(folder, 'agent.json'), data: folder }, file, dryRun, {
      say: (line) => said.push(line),
      result: (value) => {
        result = value as typeof result
      },
      ask: async () => undefined,
      confirm: async () => true,
    })
    return result.plan.map(({ kind, label }) => `${kind} ${label}`)
  }
  const listed = async () =>
    (await market.context.chain.nodes())
      .toSorted((a, b) => Number(a.id - b.id))
      .map(({ id, nMEM, pCPU }) => [Number(id), nMEM, pCPU])

  it('sends nothing on a dry run or with an invalid line', async () => {
    expect(await run(['a,EPYC,1,8,10,32', 'b,EPYC,1,8,10,32'], { dryRun: true })).toEqual(['add a', 'add b'])
    await expect(run(['a,EPYC,1,8,10,32', 'b,EPYC,1,8,ten,32'])).rejects.toThrow(/nothing was sent\n {2}line 3 \(b\): cpu-price/)
    expect(await listed()).toEqual([])
  })

  it('adds the nodes, sends nothing without a change, and then only the differences', async () => {
    const lines = ['a,EPYC,1,8,10,32', 'b,EPYC,1,8,10,32']
    await run(lines)
    expect(await listed()).toEqual([
      [1, 32, parseEther('10')],
      [2, 32, parseEther('10')],
    ])
    expect(await run(lines)).toEqual(['same a', 'same b'])
    rmSync(join(folder, 'node-labels.json'))
    expect(await run(lines)).toEqual(['same a', 'same b'])

    const order = await market.buyer.buy(market.provider, 1n, 1, market.chain.accounts.user)
    expect(await run(['a,EPYC,1,8,11,32', 'b,EPYC,1,8,11,64', 'c,EPYC,1,8,10,16'])).toEqual(['sold a', 'change b', 'add c'])
    expect(said.join('\n')).toContain(`a: node 1 is held by order ${order} and stays as it is until that is over`)
    expect(await listed()).toEqual([
      [1, 32, parseEther('10')],
      [2, 64, parseEther('11')],
      [3, 16, parseEther('10')],
    ])
  })

  it('prints what an external wallet has to send, and recognises the node once it was sent', async () => {
    const lines = ['d,EPYC,1,8,12,8']
    expect(await run(lines, { hasKey: false })).toEqual(['add d'])
    expect(result.open).toMatchObject([{ title: 'd: add a node', data: expect.stringMatching(/^0x/) }])
    expect(await listed()).toHaveLength(3)
  })
})
