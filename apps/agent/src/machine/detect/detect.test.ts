import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { GPU_PRESETS } from '@rackfair/rules/presets'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Gpu } from '../../runtime/Gpu.ts'
import { detectHardware, type Hardware } from './detectHardware.ts'
import { cpuModelName, gpuModelName } from './modelNames.ts'
import { type MarketPrice, modelsOf, proposeNodes, proposePrices } from './proposeNodes.ts'
import { type Share, soldBeyond } from './soldBeyond.ts'

const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))
const card = (model: string, id: string): Gpu => ({ ...{ id, vendor: 'nvidia', model, memoryMb: 24_576 }, device: '0', card: id })

describe('hardware detection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-detect-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('reads this machine, and offers no more cores than it has', async () => {
    const { cpu, memoryGb, diskGb, architecture } = await detectHardware(join(folder, 'not', 'yet', 'there'))
    expect(cpu.model).not.toBe('')
    expect(cpu.processors * cpu.coresPerProcessor).toBeLessThanOrEqual(availableParallelism())
    expect(memoryGb).toBeGreaterThan(0)
    expect(diskGb).toBeGreaterThan(0)
    expect(architecture).toBe(process.arch)
  })

  it('shortens model names to fit the chain, without confusing models', () => {
    expect(cpuModelName('Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz')).toBe('Xeon Silver 4316')
    expect(gpuModelName('NVIDIA GeForce RTX 3080 Ti Laptop GPU')).not.toBe(gpuModelName('NVIDIA GeForce RTX 3080'))
    expect(gpuModelName('NVIDIA GeForce RTX 4090')).toBe('RTX 4090')
    for (const variant of ['RTX 4090 Laptop GPU', 'RTX 4090 D', 'RTX 3080 12GB', 'RTX 2080 with Max-Q Design'])
      expect(GPU_PRESETS.map(({ model }) => model)).not.toContain(gpuModelName(`NVIDIA GeForce ${variant}`))
    const long = gpuModelName('NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition')
    expect([Buffer.byteLength(long) <= 31, gpuMemoryGb(long)]).toEqual([true, 96])
    expect(gpuMemoryGb(gpuModelName('NVIDIA A100-SXM4-80GB MIG 1g.10gb'))).toBe(10)
    expect(Buffer.byteLength(cpuModelName('處理器'.repeat(20)))).toBeLessThanOrEqual(31)
  })
})

describe('proposed nodes', () => {
  it('never exceed the machine together (seeded)', () => {
    console.log(`seed ${seed}`)
    const machine = fc.record({
      cpu: fc.record({
        model: fc.constantFrom('Xeon Silver 4316', 'Z80'),
        processors: fc.integer({ min: 1, max: 4 }),
        coresPerProcessor: fc.integer({ min: 1, max: 64 }),
      }),
      memoryGb: fc.integer({ min: 1, max: 512 }),
      diskGb: fc.integer({ min: 1, max: 9000 }),
      diskMostGb: fc.constant(9000),
      gpus: fc.array(
        fc.constantFrom('RTX 3090', 'RTX 4090', 'H200').map((model) => card(model, model)),
        { maxLength: 9 },
      ),
      architecture: fc.constant('x64'),
      freeMemoryBytes: fc.constant(0),
    })
    fc.assert(
      fc.property(machine, fc.integer({ min: 1, max: 10 }), (hardware: Hardware, count) => {
        const prices = proposePrices(hardware, []).map((one) => ({ ...one, unitWei: one.unitWei ?? ONE_CREDIT_WEI }))
        const nodes = proposeNodes(hardware, count, prices)
        const nothing = { oversell: false, overcommitDisk: false }
        expect(soldBeyond(nodes, hardware, nothing)).toEqual([])
        expect(nodes.every((one) => one.nMEM > 0 && one.nDISK > 0 && one.pCPU > 0n && one.nGPU > 0 === one.pGPU > 0n)).toBe(true)
        const { cpu, memoryGb, diskGb, gpus } = hardware
        if (Math.min(cpu.processors * cpu.coresPerProcessor, memoryGb, diskGb) >= modelsOf(hardware).length)
          expect(nodes.reduce((total, one) => total + one.nGPU, 0)).toBe(gpus.length)
      }),
      { seed, numRuns: 300 },
    )
  })

  const machine = (gpus: Gpu[]): Hardware => ({
    cpu: { model: 'Z80', processors: 1, coresPerProcessor: 4 },
    ...{ memoryGb: 8, diskGb: 100, diskMostGb: 120, gpus, architecture: 'x64', freeMemoryBytes: 0 },
  })

  it('use the market’s median price, else the price list, and none where neither has one', () => {
    const market: MarketPrice[] = [
      { kind: 'gpu', model: 'RTX 4090', unitWei: 7n * ONE_CREDIT_WEI },
      { kind: 'mem', model: '', unitWei: ONE_CREDIT_WEI / 4n },
    ]
    const prices = proposePrices(machine(['RTX 4090', 'RTX 3090', 'H200'].map((one) => card(one, one))), market)
    expect(prices.map(({ kind, model, unitWei, source }) => [kind, model, unitWei, source])).toEqual([
      ['cpu', 'Z80', 12n * ONE_CREDIT_WEI, '3 USD a core'],
      ['gpu', 'RTX 4090', 7n * ONE_CREDIT_WEI, 'median of the market'],
      ['gpu', 'RTX 3090', 118n * ONE_CREDIT_WEI, 'price list'],
      ['gpu', 'H200', undefined, 'no price known'],
      ['mem', '', ONE_CREDIT_WEI / 4n, 'median of the market'],
      ['disk', '', ONE_CREDIT_WEI / 50n, 'price list'],
    ])
  })

  it('include every card of a machine with several GPU models', () => {
    const gpus = ['RTX 3090', 'RTX 4090', 'RTX 3090', 'RTX 2060'].map((one, index) => card(one, String(index)))
    const nodes = proposeNodes(machine(gpus), 2, [])
    expect(nodes.map((one) => `${one.nGPU} ${one.gpuModel}`).sort()).toEqual(['1 RTX 2060', '1 RTX 4090', '2 RTX 3090'])
  })

  it('are compared with the machine as a whole', () => {
    const share = { nCPU: 1, core: 4, nGPU: 1, gpuModel: 'RTX 4090', nMEM: 8, nDISK: 120 }
    const here = machine([card('RTX 4090', 'a'), card('RTX 3090', 'b')])
    const sold = (shares: Share[], flags = {}) => soldBeyond(shares, here, { oversell: false, overcommitDisk: false, ...flags })
    expect(sold([share])).toEqual([])
    expect(sold([share, share])).toEqual([
      'processor cores: 8 of 4',
      'memory: 16 GB of 8 GB',
      'disk: 240 GB of 120 GB',
      'RTX 4090: 2 of 1',
    ])
    expect(sold([{ ...share, gpuModel: 'my own name', nGPU: 3 }])).toEqual(['GPUs: 3 of 2'])
    expect(sold([share, share], { overcommitDisk: true })).not.toContain('disk: 240 GB of 120 GB')
    expect(sold([share, share], { oversell: true })).toEqual([])
  })
})
