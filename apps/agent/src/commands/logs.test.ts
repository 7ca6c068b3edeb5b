import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { AgentConfig } from '../config/agentConfig.ts'
import { newInstance } from '../runtime/engine/names.ts'
import { podmanPaths } from '../runtime/engine/podmanService.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { setupRuntime } from '../testing/setupRuntime.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'
import { logs } from './machineCommands.ts'
import { createOutput } from './output.ts'

const NGINX = 2
const reason = whyNoContainers()

describe.skipIf(reason)(`the logs of an order (${reason ?? 'here'})`, () => {
  const data = mkdtempSync(join(tmpdir(), 'rackfair-logs-'))
  const config = { instance: newInstance() } as AgentConfig
  afterAll(() => removeEngine(data, podmanPaths(data, config.instance).run))

  it('distinguish a failing engine from an order without a container', async () => {
    const ask = () => logs(config, data, '4711', '10', createOutput({ json: true, yes: true }))
    const storage = join(data, 'engine', 'storage')
    mkdirSync(join(data, 'engine'))
    writeFileSync(join(data, 'engine', 'containers.conf'), '')
    writeFileSync(storage, 'not a folder')
    await expect(ask()).rejects.toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining(storage) })
    rmSync(storage)
    await expect(ask()).rejects.toMatchObject({
      code: 'not_found',
      message: 'order 4711 has no container on this machine',
    })
  })

  it('show the output of an application without its escape sequences', async () => {
    const market = await setupRuntime()
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      const command = ['/bin/bash', '-c', "printf 'a\\033]0;owned\\007\\302\\2332J\\342\\200\\256b\\n'; exec sleep 60"]
      const app = { ...market.app(NGINX), command }
      const allowance = { cores: 1, memoryBytes: 2 ** 28, diskBytes: 2 ** 26, gpus: [] }
      const imageId = await market.runtime.ensureImage(app)
      await market.runtime.create({ orderId: 1n, deploymentId: 'd', slot: 1, app, env: {}, allowance }, imageId)
      await market.runtime.start(1n)
      await expect.poll(() => market.runtime.logs(1n, 1)).toContain('owned')
      const ask = (json: boolean) =>
        logs({ instance: market.instance } as AgentConfig, market.data, '1', '1', createOutput({ json, yes: true }))
      await ask(false)
      await ask(true)
      const [text = '', json = ''] = printed.mock.calls.map(([chunk]) => String(chunk))
      expect(text).toBe('a\\x1b]0;owned\\x07\\x9b2J\\u{202e}b\n')
      expect(json).toMatch(/^[\x20-\x7e]+\n$/)
      expect(JSON.parse(json).stdout).toBe('a\u001b]0;owned\u0007\u009b2J\u202eb\n')
    } finally {
      printed.mockRestore()
      await market.close()
    }
  })
})
