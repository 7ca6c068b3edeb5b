import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { appText } from '@rackfair/app-spec/appText'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAgentDb } from '../../db/openAgentDb.ts'
import { createRelayClient } from '../../doors/relay/createRelayClient.ts'
import { announceKeys } from '../../doors/workspace/encryptionKeys.ts'
import { sayingLog } from '../../foundation/log.ts'
import { startPlatformSide } from '../../testing/platformSide.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { startPlatform } from '../../testing/startPlatform.ts'
import { placeOf } from '../../testing/visitPlatform.ts'
import { verifyDeploy } from './verifyDeploy.ts'

const PASSWORD = 'correct horse battery staple'
const REGISTRY = 'the registry of my employer'
const TITLE = 'a title that is nobody’s business'
const SPEC = { image: 'redis', secrets: ['PASSWORD'], registry: { username: 'bob', password: 'REGISTRY' } }
const APP = appText(parseAppSpec(SPEC).spec as never)
const VALUES = { PASSWORD, REGISTRY }

describe('environment values sent through the real platform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-values-'))
  let market: Awaited<ReturnType<typeof setupVerify>>
  let side: Awaited<ReturnType<typeof startPlatformSide>>
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let relay: ReturnType<typeof createRelayClient>
  let orderId: bigint

  const startAgent = () => {
    const { chain, provider, context } = market
    const account = privateKeyToAccount(toHex(chain.accounts.provider.getHdKey().privateKey as Uint8Array))
    const facts = { chainId: chain.chainId, provider }
    relay = createRelayClient({
      ...facts,
      ...{ platformUrl: side.url, version: 'test', account, log: sayingLog(() => undefined) },
      machine: async () => ({ cores: 1, memoryGb: 1, diskGb: 1, gpus: 0 }),
      async onDeploy(raw) {
        const { text, env, app } = await verifyDeploy(raw, context)
        const { orderId, deployId, wallet: user, time } = text
        const deploymentId = `at ${time}`
        const rest = { slot: 0, gpus: [], hasRun: false, endedAt: undefined }
        context.state.putCommand({ orderId, deployId, deploymentId, user, time, env, app, ...rest })
        const at = Date.now()
        const told = { id: deploymentId, deployId, user, provider, phase: 'Accepted', requestedAt: at, visitUrl: null } as const
        return { ...told, orderId: String(orderId), steps: [{ phase: 'Accepted', at }] } satisfies DeploymentWire
      },
      liveDeployments: () => [],
      announcedKeys: () => announceKeys(context.keys, { ...facts, account, now: context.now() }),

      onDuplicate: () => undefined,
    })
    relay.start()
  }

  beforeAll(async () => {
    market = await setupVerify(1)
    orderId = await market.buyer.buy(market.provider, 1n)
    side = await startPlatformSide(() => platform.url)
    platform = await startPlatform(market.chain, folder, ['--public-url', side.url])
    startAgent()
    market.buyer.sealTo((await placeOf(side.url, market.provider)).agent)
  })
  afterAll(async () => {
    relay?.stop()
    await platform?.stop()
    side?.close()
    await market?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const sign = (facts: { deployId: number; app?: string; env?: Record<string, string> }) =>
    market.buyer.sign({ orderId, provider: market.provider, ...facts })
  const own = () => sign({ deployId: OWN_APP_DEPLOY_ID, app: APP, env: VALUES })
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${side.url}/v1/deployments`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as DeploymentWire & { code: string; message: string } }
  }
  /** All contents of a folder, as one byte string. */
  const lying = (where: string): string =>
    readdirSync(where, { withFileTypes: true, recursive: true })
      .filter((one) => one.isFile() && !one.name.endsWith('.key'))
      .map((one) => readFileSync(join(one.parentPath, one.name)).toString('latin1'))
      .join('')

  it('reach the agent, and are hidden from the platform and from copies of a database', async () => {
    await expect.poll(async () => (await post(await own())).status).toBe(202)
    expect(market.context.state.command(orderId)).toMatchObject({ env: VALUES, app: APP })
    expect(side.saw('bob')).toBe(true)

    // While the agent is offline, the platform keeps the request.
    relay.stop()
    await expect.poll(async () => (await post(await sign({ deployId: 2, env: { PAGE_TITLE: TITLE } }))).body.phase).toBe('Queued')
    expect(lying(join(folder, 'platform'))).toContain('sealed')
    for (const value of [PASSWORD, REGISTRY, TITLE]) {
      expect([value, side.saw(value), lying(folder).includes(value)]).toEqual([value, false, false])
      expect([value, lying(market.folder).includes(value)]).toEqual([value, false])
    }
    startAgent()
    await expect.poll(() => market.context.state.command(orderId)?.env).toMatchObject({ PAGE_TITLE: TITLE })
    expect(lying(market.folder)).not.toContain(TITLE)
  })

  it('are refused by the platform in plain text', async () => {
    const good = await own()
    for (const plain of [{ env: VALUES }, { sealed: JSON.stringify(VALUES) }])
      expect((await post({ ...good, ...plain })).body).toMatchObject({ code: 'bad_request' })
    expect((await post({ ...good, sealed: undefined })).body).toMatchObject({ code: 'env_not_allowed' })
  })

  it('are encrypted at rest with a key for its owner only, without which the application is still known', () => {
    const file = join(folder, 'kept.sqlite')
    const command = {
      orderId: 7n,
      deployId: 2,
      deploymentId: 'd',
      user: lowerCaseAddress('0x'),
      time: 1,
      app: undefined,
      slot: 0,
      gpus: [],
    }
    const write = (env: Record<string, string>) => {
      const state = openAgentDb(file)
      state.putCommand({ ...command, env, hasRun: true, endedAt: undefined })
      state.close()
    }
    const read = () => {
      const state = openAgentDb(file)
      const found = state.command(7n)
      // As the agent rewrites it with every change.
      if (found) state.putCommand(found)
      state.close()
      return found
    }
    write(VALUES)
    expect(read()?.env).toEqual(VALUES)
    expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600)
    // What an earlier agent stored in clear text does not stay so.
    const old = openAgentDb(file)
    old.db.prepare('UPDATE command SET env = ?').run(JSON.stringify(VALUES))
    old.close()
    expect(lying(folder)).toContain(PASSWORD)
    expect(read()?.env).toEqual(VALUES)
    expect(lying(folder)).not.toContain(PASSWORD)
    rmSync(`${file}.key`)
    expect([read()?.hasRun, read()?.env]).toEqual([true, undefined])
  })
})
