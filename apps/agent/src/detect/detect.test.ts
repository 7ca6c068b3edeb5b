import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ONE_CREDIT_WEI } from '@rackfair/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detectHardware, type Hardware, parseRocmSmi } from './detectHardware.ts'
import { cpuModelName, gpuModelName } from './modelNames.ts'
import { proposeNodes } from './proposeNodes.ts'

const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))
const GPU = { model: 'RTX 3090', memoryMb: 24_576 }

describe('what a machine has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-detect-'))
  const path = process.env.PATH
  beforeAll(() => {
    process.env.PATH = `${folder}:${path}`
  })
  afterAll(() => {
    process.env.PATH = path
    rmSync(folder, { recursive: true, force: true })
  })

  it('is read from this machine, and offers no more cores than it has', async () => {
    const { cpu, memoryGb, diskGb, architecture } = await detectHardware(join(folder, 'not', 'yet', 'there'))
    expect(cpu.model).not.toBe('')
    expect(cpu.processors * cpu.coresPerProcessor).toBeLessThanOrEqual(availableParallelism())
    expect(memoryGb).toBeGreaterThan(0)
    expect(diskGb).toBeGreaterThan(0)
    expect(architecture).toBe(process.arch)
  })

  it('names GPUs as the price list does, from what nvidia-smi or rocm-smi says', async () => {
    const nvidia = join(folder, 'nvidia-smi')
    writeFileSync(nvidia, '#!/bin/sh\nprintf "NVIDIA GeForce RTX 3090, 24576\\nNVIDIA GeForce RTX 3080 Ti, 12288\\n"\n')
    chmodSync(nvidia, 0o755)
    expect((await detectHardware(folder)).gpus).toEqual([GPU, { model: gpuModelName('GeForce RTX 3080 Ti'), memoryMb: 12_288 }])
    writeFileSync(nvidia, '#!/bin/sh\nexit 9\n')
    expect((await detectHardware(folder)).gpus).toEqual([])
    expect(parseRocmSmi('{"card0": {"Card Series": "AMD Radeon RX 7900 XTX"}, "system": {}}')).toHaveLength(1)
    expect(parseRocmSmi('no JSON')).toEqual([])
  })

  it('has names that fit the chain, the longest that the price list knows', () => {
    expect(cpuModelName('Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz')).toBe('Xeon Silver 4316')
    expect(gpuModelName('NVIDIA GeForce RTX 3080 Ti Laptop GPU')).not.toBe(gpuModelName('NVIDIA GeForce RTX 3080'))
    expect(Buffer.byteLength(cpuModelName('處理器'.repeat(20)))).toBeLessThanOrEqual(31)
  })
})

describe('the nodes that are offered', () => {
  it('together never hold more than the machine (seeded)', () => {
    console.log(`seed ${seed}`)
    const machine = fc.record({
      cpu: fc.record({
        model: fc.constantFrom('Xeon Silver 4316', 'Z80'),
        processors: fc.integer({ min: 1, max: 4 }),
        coresPerProcessor: fc.integer({ min: 1, max: 64 }),
      }),
      memoryGb: fc.integer({ min: 1, max: 512 }),
      diskGb: fc.integer({ min: 1, max: 9000 }),
      gpus: fc.array(fc.constantFrom(GPU, { model: 'RTX 4090', memoryMb: 24_564 }), { maxLength: 8 }),
      architecture: fc.constant('x64'),
      freeMemoryBytes: fc.constant(0),
    })
    fc.assert(
      fc.property(machine, fc.integer({ min: 1, max: 10 }), (hardware: Hardware, count) => {
        const nodes = proposeNodes(hardware, count)
        const sum = (of: (one: (typeof nodes)[number]) => number) => nodes.reduce((total, one) => total + of(one), 0)
        expect(sum((one) => one.nCPU * one.core)).toBeLessThanOrEqual(hardware.cpu.processors * hardware.cpu.coresPerProcessor)
        expect(sum((one) => one.nMEM)).toBeLessThanOrEqual(hardware.memoryGb)
        expect(sum((one) => one.nDISK)).toBeLessThanOrEqual(hardware.diskGb)
        for (const model of new Set(hardware.gpus.map((one) => one.model)))
          expect(sum((one) => (one.gpuModel === model ? one.nGPU : 0))).toBeLessThanOrEqual(
            hardware.gpus.filter((one) => one.model === model).length,
          )
        expect(nodes.every((one) => one.nMEM > 0 && one.nDISK > 0 && one.pCPU > 0n && one.nGPU > 0 === one.pGPU > 0n)).toBe(true)
      }),
      { seed, numRuns: 300 },
    )
  })

  it('ask the median of the market where there is one, else the price list', () => {
    const hardware: Hardware = {
      cpu: { model: 'Z80', processors: 1, coresPerProcessor: 4 },
      ...{ memoryGb: 8, diskGb: 100, gpus: [GPU], architecture: 'x64', freeMemoryBytes: 0 },
    }
    const [listed] = proposeNodes(hardware, 1)
    expect(listed?.pCPU).toBe(12n * ONE_CREDIT_WEI)
    const [median] = proposeNodes(hardware, 1, [
      { kind: 'cpu', model: 'Z80', unitWei: 7n * ONE_CREDIT_WEI },
      { kind: 'mem', model: '', unitWei: ONE_CREDIT_WEI / 4n },
    ])
    expect([median?.pCPU, median?.pMEM, median?.pGPU]).toEqual([7n * ONE_CREDIT_WEI, ONE_CREDIT_WEI / 4n, listed?.pGPU])
  })
})
