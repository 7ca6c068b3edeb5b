import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type AgentConfig, newInstance } from '../config/agentConfig.ts'
import { podmanPaths } from '../runtime/engine/podmanService.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'
import { logs } from './machineCommands.ts'
import { createOutput } from './output.ts'

const reason = whyNoContainers()

describe.skipIf(reason)(`the logs of an order (${reason ?? 'here'})`, () => {
  const data = mkdtempSync(join(tmpdir(), 'rackfair-logs-'))
  const config = { instance: newInstance() } as AgentConfig
  afterAll(() => removeEngine(data, podmanPaths(data, config.instance).run))

  it('tell an engine that fails from an order without a container', async () => {
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
})
