import pino from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openAgentDb } from '../db/openAgentDb.ts'
import { createProgress } from '../orders/createProgress.ts'
import { createTenantWall } from '../runtime/engine/createTenantWall.ts'
import { createFirewall } from '../runtime/engine/firewall.ts'
import { chooseBlock } from '../runtime/engine/subnets.ts'
import { createLog, type LogLevel } from './log.ts'

const INSTANCE = 'abc0de'

function capture(level: LogLevel = 'info') {
  const lines: { level: string; msg: string }[] = []
  const write = (line: string) => {
    const { level: number, msg } = JSON.parse(line) as { level: number; msg: string }
    lines.push({ level: pino.levels.labels[number] ?? '', msg })
  }
  return { lines, log: createLog(pino({ level }, { write })) }
}

describe('the agent’s log', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('reports a failure to restore the tenants’ firewall as an error, and an attempt as a warning', async () => {
    // Without nft the firewall cannot be created, and without ip no network can be shut.
    vi.stubEnv('PATH', '/nonexistent')
    const { lines, log } = capture()
    const firewall = createFirewall(INSTANCE, chooseBlock(INSTANCE), () => [])
    const nothing = async () => {}
    const wall = createTenantWall({
      ...{ instance: INSTANCE, firewall, slots: new Set<number>(), stop: nothing, passOthers: nothing, log },
      runningSlots: async () => [],
    })
    await expect(wall.keep()).rejects.toMatchObject({ code: 'isolation_unavailable' })
    expect(lines).toEqual([
      { level: 'warn', msg: 'the firewall of the tenants is missing or was changed; restoring it' },
      {
        level: 'error',
        msg: expect.stringMatching(
          /^the firewall of the tenants cannot be restored; their networks cannot be shut .*applications are stopped$/,
        ),
      },
    ])
  })

  it('reports a failed order as a warning, and nothing below the configured level', () => {
    const state = openAgentDb(':memory:')
    const { lines, log } = capture('warn')
    const progress = createProgress({ state, notes: { add: () => {}, remove: () => {} }, onStatus: () => {}, log })
    state.putDeployment({ id: 'd', orderId: '1', steps: [], phase: 'Accepted', requestedAt: 1 } as never)
    for (const phase of ['Pulling', 'Failed', 'Running', 'Degraded'] as const) progress.publish('d', phase)
    state.close()
    expect(lines).toEqual([
      { level: 'warn', msg: 'deployment' },
      { level: 'warn', msg: 'deployment' },
    ])
  })
})
