import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChain } from '@rackfair/testkit'
import { expect, it } from 'vitest'
import { agentConfig, saveConfig } from '../config/agentConfig.ts'
import { openAgentDb } from '../db/openAgentDb.ts'
import { newInstance } from '../runtime/engine/names.ts'
import { runCli } from '../testing/runCli.ts'
import { setupGateway } from '../testing/setupGateway.ts'
import { checkProvider } from './doctor/checkProvider.ts'

it('asks the gateway at its listening address, and shows local facts without a chain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-status-'))
  const file = join(folder, 'agent.json')
  const chain = await startChain()
  const door = await setupGateway({ config: { host: '127.0.0.2' } })
  try {
    const config = agentConfig.parse({
      ...{ instance: newInstance(), chainId: chain.chainId, rpcUrl: chain.rpcUrl, access: chain.deployment.access },
      ...{ provider: door.provider, operatorKeyFile: join(folder, 'operator.key'), platforms: ['http://127.0.0.1:1'] },
      gateway: { host: '127.0.0.2', port: door.port, publicHost: '127.0.0.2' },
    })
    saveConfig(file, config)
    const state = openAgentDb(join(folder, 'data', 'agent.sqlite'))
    const command = { orderId: 7n, deployId: 2, deploymentId: 'd', user: door.provider, time: 1, slot: 0 }
    state.putCommand({ ...command, env: {}, gpus: [], hasRun: false, endedAt: undefined })
    state.putDeployment({ id: 'd', orderId: '7', phase: 'Running', requestedAt: 1 } as never)
    state.close()
    const status = () => runCli(['status', '--config', file, '--json'])
    const here = { running: true, deployments: [{ orderId: '7', preset: 2, phase: 'Running' }] }
    expect((await status()).json).toMatchObject({ ...here, chain: { id: chain.chainId, block: expect.any(Number) }, nodes: [] })
    await chain.stop()
    expect(await status()).toMatchObject({ code: 0, json: { ...here, chain: null, nodes: null } })
    const { stdout } = await runCli(['status', '--config', file])
    expect(stdout).toBe(`agent runs; the chain does not answer (${new URL(chain.rpcUrl).host})\norder 7: preset 2 is Running\n`)
    const checks = await checkProvider(config, folder)
    expect(checks).toContainEqual({ name: 'gateway port', ok: true, found: `${door.port}, the agent answers` })
    const elsewhere = await checkProvider({ ...config, gateway: { ...config.gateway, host: '192.0.2.1' } }, folder)
    const found = `${door.port} cannot be opened at 192.0.2.1 (EADDRNOTAVAIL)`
    expect(elsewhere).toContainEqual(expect.objectContaining({ name: 'gateway port', ok: false, found }))
  } finally {
    await door.close()
    await chain.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
