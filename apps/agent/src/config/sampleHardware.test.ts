import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { afterAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../foundation/log.ts'
import { machineHardware } from '../machine/detect/machineHardware.ts'
import { proposeNodes } from '../machine/detect/proposeNodes.ts'
import { soldBeyond } from '../machine/detect/soldBeyond.ts'
import { tryGpus } from '../machine/gpu/tryGpus.ts'
import { podmanGpus } from '../runtime/engine/gpuDevices.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import { runCli } from '../testing/runCli.ts'
import { agentConfig, loadConfig } from './agentConfig.ts'

const sampleHardware = {
  cpu: { model: 'EPYC 7763', processors: 2, coresPerProcessor: 64 },
  ...{ memoryGb: 512, diskGb: 4000, gpus: { model: 'RTX 4090', count: 8 }, driver: '565.57.01' },
}
const plain = {
  ...{ instance: 'abcdef', chainId: 2985, rpcUrl: 'http://127.0.0.1:1', access: `0x${'a'.repeat(40)}` },
  ...{ provider: `0x${'b'.repeat(40)}`, operatorKeyFile: '/nowhere', platforms: ['http://127.0.0.1:2'] },
  gateway: { host: '127.0.0.1', port: 7070, publicHost: '127.0.0.1' },
}

describe('sample hardware', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-sample-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (config: object) => {
    const file = join(folder, 'config.json')
    writeFileSync(file, JSON.stringify(config))
    return file
  }
  const REFUSED = /sampleHardware: is only simulated hardware, which no chain but 2985 accepts; nothing was started/

  it('is accepted on chain 2985 only', () => {
    expect(loadConfig(write({ ...plain, sampleHardware })).sampleHardware).toEqual(sampleHardware)
    for (const chainId of [985, 1985, 1, 31_337, 2984, 2986])
      expect(() => loadConfig(write({ ...plain, chainId, sampleHardware })), String(chainId)).toThrow(REFUSED)
  })

  it('keeps an agent of another chain from starting', async () => {
    const { code, json } = await runCli(['start', '--json', '--config', write({ ...plain, chainId: 985, sampleHardware })])
    expect(code).toBe(1)
    expect(json.error).toMatchObject({ code: 'bad_request', message: expect.stringMatching(REFUSED) })
  })

  it('is refused by init for a draft without a chain, before anything is written', async () => {
    const chain = createServer((_, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x3d9' })))
    const rpcUrl = await listen(chain)
    const draft = { rpcUrl, sampleHardware }
    const file = write(draft)
    const { json } = await runCli([
      'init',
      '--json',
      '--yes',
      '--config',
      file,
      '--platform',
      rpcUrl,
      '--provider',
      plain.provider,
    ])
    chain.close()
    expect(json.error).toMatchObject({ code: 'bad_request', message: expect.stringMatching(REFUSED) })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(draft)
  })

  it('is refused with a cluster or beyond its limits', () => {
    const kubernetes = { diskGb: 10 }
    expect(agentConfig.safeParse({ ...plain, sampleHardware, kubernetes }).error?.issues[0]?.path).toEqual(['sampleHardware'])
    for (const part of [{ memoryGb: 0 }, { diskGb: 1e9 }, { gpus: { model: 'x'.repeat(32), count: 1 } }, { more: 1 }])
      expect(agentConfig.safeParse({ ...plain, sampleHardware: { ...sampleHardware, ...part } }).success).toBe(false)
  })

  it('is listed, with GPUs that are neither tested nor passed to containers', async () => {
    const hardware = await machineHardware({ sampleHardware }, folder)
    expect(hardware.driver).toBe('565.57.01')
    const nodes = proposeNodes(hardware, 2, [])
    expect(nodes.map(({ nGPU, gpuModel, nMEM, nDISK }) => ({ nGPU, gpuModel, nMEM, nDISK }))).toEqual(
      Array.from({ length: 2 }, () => ({ nGPU: 4, gpuModel: 'RTX 4090', nMEM: 256, nDISK: 2000 })),
    )
    expect(soldBeyond(nodes, hardware, { oversell: false, overcommitDisk: false })).toEqual([])
    expect(podmanGpus(hardware.gpus)).toEqual({ devices: [] })
    const fault = (_: unknown, problem: string) => {
      throw new AppError('internal', problem)
    }
    const nothing = { runtime: {} as Runtime, presets: new Map(), usedSlots: () => [], log: sayingLog(() => {}) }
    await tryGpus({ ...nothing, watch: { gpus: hardware.gpus, fault } })
  })
})

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}
