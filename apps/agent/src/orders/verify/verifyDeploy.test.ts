import { join } from 'node:path'
import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { appText } from '@rackfair/app-spec/appText'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import { applicationText } from '@rackfair/app-spec/services/applicationText'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import { formatDeployText, parseDeployText } from '@rackfair/protocol/deployText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { contractCall } from '@rackfair/sdk'
import { makeEncryptionKeys, sealRequest, toBase64url, utf8 } from '@rackfair/sealed'
import type { Chain } from '@rackfair/testkit'
import fc from 'fast-check'
import { createTestClient, http, keccak256, stringToBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainNode, type ChainOrder, type ChainView, openChain } from '../../chain/read/chainView.ts'
import { openAgentDb } from '../../db/openAgentDb.ts'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import type { Preset } from '../../presets/loadCatalog.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { MONTH_SECONDS, type TestBuyer } from '../../testing/testBuyer.ts'
import { type VerifyContext, verifyDeploy } from './verifyDeploy.ts'

const CLEAN = 0
const NGINX = 2
const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe('a deploy request in every wrong form, against a real chain', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  let chain: Chain
  let buyer: TestBuyer
  let context: VerifyContext
  let provider: LowerCaseAddress
  let orderId: bigint

  beforeAll(async () => {
    market = await setupVerify()
    ;({ chain, buyer, context, provider } = market)
    orderId = await buyer.buy(provider, 1n)
  })
  afterAll(() => market?.close())

  const sign = (facts: Partial<Parameters<typeof buyer.sign>[0]> = {}, signer = chain.accounts.user) =>
    buyer.sign({ orderId, deployId: NGINX, provider, time: now(), ...facts }, signer)
  const code = (request: unknown, over: Partial<VerifyContext> = {}) => market.code(request, over)
  const now = () => Math.floor(Date.now() / 1000)
  /** The chain as it is, except for what is said of every order and node. */
  const chainWith = (order: Partial<ChainOrder>, node: Partial<ChainNode> = {}): ChainView => ({
    ...context.chain,
    order: async (id) => ({ ...((await context.chain.order(id)) as ChainOrder), ...order }),
    node: async (id) => ({ ...(await context.chain.node(id)), ...node }),
  })

  it('takes an application of the catalogue with ports where the provider opens ports', async () => {
    const request = await sign({ deployId: 13, env: { POSTGRES_PASSWORD: 'a-long-password' } })
    expect(await code(request, { appPorts: false })).toBe('port_unavailable')
    expect(await code(request)).toBe('accepted')
  })

  it('accepts what the owner signed', async () => {
    expect(await code(await sign())).toBe('accepted')
    expect(await code(await sign({ deployId: CLEAN }))).toBe('accepted')
    const request = await sign({ env: { PAGE_TITLE: 'Hi' } })
    expect(await verifyDeploy(request, context)).toEqual({
      text: parseDeployText(request.text),
      textHash: keccak256(stringToBytes(request.text)),
      order: await context.chain.order(orderId),
      node: await context.chain.node(1n),
      preset: context.presets.get(NGINX),
      env: { PAGE_TITLE: 'Hi' },
      app: undefined,
    })
  })

  it('accepts an own application as signed, with exactly the requested values', async () => {
    const app = appText(parseAppSpec({ image: 'redis', ports: [{ protocol: 'tcp', port: 6379 }], secrets: ['S'] }).spec as never)
    const own = (facts: Partial<Parameters<typeof buyer.sign>[0]> = {}) =>
      sign({ deployId: OWN_APP_DEPLOY_ID, app, env: { S: 'x' }, ...facts })
    const good = await own()
    expect(await code(good)).toBe('accepted')
    expect(await code({ ...good, app: app.replace('redis', 'evil') })).toBe('app_malformed')
    expect(await code({ ...good, app: undefined })).toBe('app_malformed')
    expect(await code({ ...(await own({ app: '' })), app: undefined })).toBe('app_malformed')
    expect(await code({ ...good, sealed: (await own()).sealed })).toBe('secrets_unreadable')
    expect(await code(await own({ app: `${app} ` }))).toBe('app_malformed')
    expect(await code(await own({ app: '{"image":"redis"}' }))).toBe('app_malformed')
    expect(await code(await own({ env: { S: 'x', PATH: '/evil' } }))).toBe('env_not_allowed')
    expect(await code(await own({ env: { S: 'a\x1bb' } }))).toBe('env_not_allowed')
    expect(await code({ ...(await sign()), app })).toBe('app_malformed')
    expect(await code({ ...(await sign({ deployId: 0 })), app })).toBe('app_malformed')
    expect(await code(await own(), { ownImages: { ...context.ownImages, offered: false } })).toBe('own_images_refused')
    expect(await code(await own(), { ownImages: { ...context.ownImages, registries: ['ghcr.io'] } })).toBe('own_images_refused')
    expect(await code(await own(), { ownImages: { ...context.ownImages, registries: ['docker.io'] } })).toBe('accepted')
    expect(await code(await own(), { appPorts: false })).toBe('port_unavailable')
    expect(await code(await own(), { whyNoGvisor: 'runsc is not installed' })).toBe('accepted')
    const sandbox = appText(parseAppSpec({ image: 'redis', secrets: ['S'], sandbox: 'gvisor' }).spec as never)
    expect(await code(await own({ app: sandbox }))).toBe('accepted')
    expect(await code(await own({ app: sandbox }), { whyNoGvisor: 'runsc is not installed' })).toBe('runtime_refused')
    expect(await code(await own({ app: sandbox }), { chain: chainWith({ nGPU: 1 }) })).toBe('runtime_refused')
    expect(await code(await own(), { chain: chainWith({ nGPU: 1 }) })).toBe('accepted')
    const web = { protocol: 'http', port: 80, access: 'owner' }
    const mine = (ports: object[]) => {
      const app = appText(parseAppSpec({ image: 'redis', ports }).spec as never)
      return sign({ deployId: OWN_APP_DEPLOY_ID, app })
    }
    expect(await code(await mine([web]), { ownOrigins: false })).toBe('preset_needs_origin')
    expect(await code(await mine([web]), { appPorts: false })).toBe('accepted')
    expect(await code(await mine([web, { protocol: 'tcp', port: 6379 }]), { appPorts: false })).toBe('port_unavailable')
  })

  it('accepts several services as signed, each by the rules for one', async () => {
    const text = (services: object) => applicationText(parseApplication({ services }).application as never)
    const db = { image: 'ghcr.io/acme/db', secrets: { PASSWORD: 'S' }, ports: [{ protocol: 'tcp', port: 5432 }] }
    const app = text({ web: { image: 'redis', secrets: ['S'], after: { db: 'started' } }, db })
    const own = (facts: Partial<Parameters<typeof buyer.sign>[0]> = {}) =>
      sign({ deployId: OWN_APP_DEPLOY_ID, app, env: { S: 'x' }, ...facts })
    const { preset, env } = await verifyDeploy(await own(), context)
    expect(preset?.services?.map(({ name, app: { service } }) => [name, service?.key, service?.place])).toEqual([
      ['db', undefined, 0],
      ['web', 'web', 1],
    ])
    expect(env).toEqual({ S: 'x' })
    expect(await code({ ...(await own()), app: app.replace('started', 'healthy') })).toBe('app_malformed')
    expect(await code(await own({ env: { S: 'x', T: 'y' } }))).toBe('env_not_allowed')
    expect(await code(await own({ app: app.replace('"after"', '"extra":1,"after"') }))).toBe('app_malformed')
    expect(await code(await own(), { whyNoServices: 'this provider runs Docker' })).toBe('runtime_refused')
    expect(await code(await own(), { sharesPorts: true })).toBe('accepted')
    const both = { db, copy: { image: 'redis', ports: [{ protocol: 'tcp', port: 5432 }] } }
    const clashing = (services: object) => sign({ deployId: OWN_APP_DEPLOY_ID, app: text(services), env: { S: 'x' } })
    await expect(verifyDeploy(await clashing(both), { ...context, sharesPorts: true })).rejects.toMatchObject({
      code: 'port_clash',
      message: expect.stringMatching(/^copy and db both listen at port 5432: /),
    })
    expect(await code(await clashing(both))).toBe('accepted')
    const udp = { db, copy: { image: 'redis', ports: [{ protocol: 'udp', port: 5432 }] } }
    expect(await code(await clashing(udp), { sharesPorts: true })).toBe('accepted')
    expect(await code(await own(), { appPorts: false })).toBe('port_unavailable')
    const { ownImages } = context
    expect(await code(await own(), { ownImages: { ...ownImages, registries: ['docker.io'] } })).toBe('own_images_refused')
    expect(await code(await own(), { ownImages: { ...ownImages, registries: ['docker.io', 'ghcr.io'] } })).toBe('accepted')
  })

  it('needs no catalogue entry for a clean or an own application', async () => {
    const nginx = context.presets.get(NGINX) as Preset
    const presets = new Map([CLEAN, OWN_APP_DEPLOY_ID].map((id) => [id, nginx]))
    const app = appText(parseAppSpec({ image: 'redis', secrets: ['S'] }).spec as never)
    expect(await verifyDeploy(await sign({ deployId: CLEAN }), { ...context, presets })).toMatchObject({ preset: undefined })
    expect(
      await verifyDeploy(await sign({ deployId: OWN_APP_DEPLOY_ID, app, env: { S: 'x' } }), { ...context, presets }),
    ).toMatchObject({ preset: { wire: { title: 'redis' } }, env: { S: 'x' }, app })
  })

  it('refuses malformed and oversized texts', async () => {
    const good = await sign()
    const { signature } = good
    const bad: unknown[] = [
      null,
      1,
      'x',
      [],
      {},
      { text: 1, signature },
      { text: good.text },
      { text: good.text, signature: '0xzz' },
    ]
    bad.push(
      { text: 'a'.repeat(1_000_000), signature },
      { text: `${good.text}\n`, signature },
      { text: good.text.replace('order: ', 'order:  '), signature },
    )
    bad.push(
      { text: good.text.replace(/\n/g, '\r\n'), signature },
      { text: good.text.replace('order: ', 'order: 0'), signature },
      { text: good.text.toUpperCase(), signature },
    )
    bad.push({ text: good.text.split('\n').reverse().join('\n'), signature }, { text: `${good.text}\nextra: 1`, signature })
    for (const one of bad) expect(await code(one), JSON.stringify(one)?.slice(0, 80)).toBe('text_malformed')
    await expect(verifyDeploy({ text: good.text, signature: '0xzz' }, context)).rejects.toThrow('must match pattern')
    expect(await code({ text: good.text, signature: '0x12' })).toBe('wrong_signer')
  })

  it('never accepts a modified text (seeded)', async () => {
    console.log(`seed ${seed}`)
    const good = await sign()
    const mutate = fc.tuple(fc.nat(good.text.length - 1), fc.constantFrom('0', '1', 'a', 'f', ' ', '\n', ':', '\u0000', '٣'))
    await fc.assert(
      fc.asyncProperty(mutate, async ([at, char]) => {
        const text = good.text.slice(0, at) + char + good.text.slice(at + 1)
        if (text === good.text) return
        expect(await code({ text, signature: good.signature })).not.toBe('accepted')
      }),
      { seed, numRuns: process.env.RACKFAIR_DEEP === '1' ? 2000 : 120 },
    )
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const parsed = parseDeployText(text)
        return parsed === undefined || formatDeployText(parsed) === text
      }),
      { seed },
    )
  })

  it('refuses texts from the past and the future', async () => {
    expect(await code(await sign({ time: now() - 310 }))).toBe('text_too_old')
    expect(await code(await sign({ time: now() + 90 }))).toBe('text_in_future')
    expect(await code(await sign({ time: now() - 280 }))).toBe('accepted')
    const at = now()
    const codeOf = async (time: number) => code(await sign({ time }), { now: () => at })
    expect(await codeOf(at - 301)).toBe('text_too_old')
    expect(await codeOf(at - 300)).toBe('accepted')
    expect(await codeOf(at + 60)).toBe('accepted')
    expect(await codeOf(at + 61)).toBe('text_in_future')
  })

  it('refuses a replay, and anything signed before the last accepted request', async () => {
    const time = now() - 100
    const first = await sign({ time })
    const state = openAgentDb(join(market.folder, 'replay.sqlite'))
    const deployment = {
      id: 'd',
      orderId: String(orderId),
      deployId: NGINX,
      user: provider,
      provider,
      phase: 'Accepted' as const,
      steps: [],
      requestedAt: 1,
      visitUrl: null,
    }
    const command = {
      orderId,
      deployId: NGINX,
      deploymentId: 'd',
      user: provider,
      time,
      env: {},
      slot: 0,
      gpus: [],
      hasRun: false,
      endedAt: undefined,
    }
    expect(await code(first, { state })).toBe('accepted')
    state.accept({ hash: keccak256(stringToBytes(first.text)) }, command, deployment, {
      order: (await context.chain.order(orderId)) as ChainOrder,
      node: await context.chain.node(1n),
    })
    expect(await code(first, { state })).toBe('text_replayed')
    expect(await code(await sign({ time: now() - 200 }), { state })).toBe('text_out_of_order')
    expect(await code(await sign({ time, deployId: 0 }), { state })).toBe('text_out_of_order')
    expect(await code(await sign({ time: now() - 50 }), { state })).toBe('accepted')
    state.close()
    const reopened = openAgentDb(join(market.folder, 'replay.sqlite'))
    expect(await code(first, { state: reopened })).toBe('text_replayed')
    reopened.close()
  })

  it('refuses another provider, chain, order, owner or key', async () => {
    const { otherProvider, otherUser, user } = chain.accounts
    expect(await code(await sign({ provider: otherProvider.address }))).toBe('wrong_provider')
    expect(await code(await sign({ chainId: 985 }))).toBe('wrong_chain')
    expect(await code(await sign({ orderId: 999n }))).toBe('order_not_found')
    expect(await code(await sign({ orderId: 0n }))).toBe('order_not_found')
    const elsewhere = await buyer.buy(otherProvider.address, 1n)
    expect(await code(await sign({ orderId: elsewhere }))).toBe('wrong_provider')
    expect(await code(await sign({}, otherUser))).toBe('order_not_owned')
    expect(await code(await sign({ wallet: user.address }, otherUser))).toBe('wrong_signer')
  })

  it('refuses settings that were not signed, are not offered, or do not match their rule', async () => {
    const good = await sign({ env: { PAGE_TITLE: 'Hi' } })
    expect(await code({ ...good, env: { PAGE_TITLE: 'Hi' } })).toBe('text_malformed')
    expect(await code({ text: good.text, signature: good.signature })).toBe('env_not_allowed')
    expect(await code(await sign({ env: { LD_PRELOAD: '/tmp/x.so' } }))).toBe('env_not_allowed')
    expect(await code(await sign({ env: { PAGE_TITLE: 'a\nB=1' } }))).toBe('env_not_allowed')
    expect(await code(await sign({ env: { PAGE_TITLE: 'x'.repeat(81) } }))).toBe('env_not_allowed')
    expect(await code(await sign({ deployId: 0, env: { PAGE_TITLE: 'Hi' } }))).toBe('env_not_allowed')
  })

  it('opens values with their own text only, by this agent only, each time with another hash', async () => {
    const settings = () => sign({ env: { PAGE_TITLE: 'Hi' } })
    const [one, other] = [await settings(), await settings()]
    const hash = ({ text }: { text: string }) => /env: (0x\w+)/.exec(text)?.[1]
    expect(hash(one)).not.toBe(hash(other))
    expect(one.sealed?.length).toBe(other.sealed?.length)
    expect(await code(one)).toBe('accepted')
    expect(await code({ ...one, sealed: other.sealed })).toBe('secrets_unreadable')
    expect(await code({ ...one, sealed: undefined })).toBe('env_not_allowed')
    const changed = `${one.sealed?.slice(0, -4)}${one.sealed?.at(-4) === 'A' ? 'B' : 'A'}${one.sealed?.slice(-3)}`
    expect(await code({ ...one, sealed: changed })).toBe('secrets_unreadable')
    // No bytes are written in so many letters.
    expect(await code({ ...one, sealed: 'A'.repeat(65) })).toBe('secrets_unreadable')
    expect(await code(one, { keys: await makeEncryptionKeys() })).toBe('secrets_unreadable')
    // Whoever forwards the request can also seal to the agent, but not what was signed.
    const { publicKeys } = context.keys
    for (const evil of [`["${'00'.repeat(32)}",[["PAGE_TITLE","x"]]]`, '["",[]]', '{}', 'x', '']) {
      const sealed = toBase64url(await sealRequest(publicKeys, utf8(evil), one.text, 'x25519'))
      expect([evil, await code({ ...one, sealed })]).toEqual([evil, 'env_not_allowed'])
    }
    const noText = toBase64url(await sealRequest(publicKeys, Uint8Array.of(0xff), one.text, 'x25519'))
    expect(await code({ ...one, sealed: noText })).toBe('env_not_allowed')
  })

  it('refuses unknown presets and those that do not fit the node', async () => {
    expect(await code(await sign({ deployId: 99 }))).toBe('preset_unknown')
    expect(await code(await sign({ deployId: 4 }))).toBe('preset_does_not_fit')
  })

  it.each([
    ['gpus', 0, 1, '1 GPU'],
    ['cpu', 4, 4.5, '4.5 cores'],
    ['memoryBytes', 2 * 2 ** 30, 2 * 2 ** 30 + 1, '3 GB of memory'],
    ['diskBytes', 21.6e9, 21.6e9 + 1, '22 GB of storage'],
  ])('lets a preset request all %s of a node, and not more', async (name, most, more, needs) => {
    const nginx = context.presets.get(NGINX) as Preset
    const verify = async (amount: number) => {
      const requests = { ...nginx.app.requests, [name]: amount }
      const presets = new Map([[NGINX, { ...nginx, app: { ...nginx.app, requests } }]])
      return verifyDeploy(await sign(), { ...context, presets, chain: chainWith({}, { core: 4 }) })
    }
    expect((await verify(most)).order.id).toBe(orderId)
    await expect(verify(more)).rejects.toMatchObject({ code: 'preset_does_not_fit', facts: { preset: 'nginx', needs } })
  })

  it('refuses an order whose node belongs to another one', async () => {
    expect(await code(await sign(), { chain: chainWith({}, { orderId: orderId + 1n }) })).toBe('order_not_active')
  })

  it('refuses owner-only presets without an origin per order', async () => {
    expect(await code(await sign({ deployId: 3 }), { ownOrigins: false })).toBe('preset_needs_origin')
    expect(await code(await sign({ deployId: 2 }), { ownOrigins: false })).toBe('accepted')
  })

  it('refuses cancelled and expired orders', async () => {
    const cancelled = await buyer.buy(provider, 2n)
    await buyer.cancel(cancelled)
    expect(await code(await sign({ orderId: cancelled }))).toBe('order_not_active')
    const expired = await buyer.buy(provider, 3n)
    await buyer.send(chain.accounts.provider, contractCall(buyer.addresses, 'market', 'activate', [expired]))
    expect(await code(await sign({ orderId: expired }))).toBe('accepted')
    const test = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
    const snapshot = await test.snapshot()
    try {
      await test.increaseTime({ seconds: MONTH_SECONDS + 10 })
      await test.mine({ blocks: 1 })
      expect(await code(await sign({ orderId: expired }))).toBe('order_expired')
      expect(await code(await sign())).toBe('order_expired')
    } finally {
      await test.revert({ id: snapshot })
    }
  })

  it('reports an unreachable chain instead of guessing', async () => {
    const gone = await openChain({ rpcUrl: chain.rpcUrl, chainId: chain.chainId, access: chain.deployment.access, provider })
    const silent = { ...gone, head: () => Promise.reject(Object.assign(new Error('down'), { code: 'chain_unreachable' })) }
    expect(await code(await sign(), { chain: silent })).toBe('chain_unreachable')
  })

  it('stops a flood before any expensive check', async () => {
    let reads = 0
    const counting = {
      ...context.chain,
      signedBy: async () => {
        reads += 1
        return false
      },
    }
    const tight = { chain: counting, perOrder: createTokenBuckets({ burst: 3, refillMs: 60_000 }) }
    const requests = await Promise.all(Array.from({ length: 200 }, (_, index) => sign({ time: now() - index })))
    const codes = await Promise.all(requests.map((request) => code(request, tight)))
    expect(reads).toBe(3)
    expect(codes.filter((one) => one === 'agent_busy')).toHaveLength(197)
    await expect(verifyDeploy(requests[0], { ...context, ...tight })).rejects.toMatchObject({ retryable: true })

    const codesOf = async (over: Partial<VerifyContext>) => {
      const codes: string[] = []
      for (const orderId of [1n, 1n, 2n, 3n]) codes.push(await code(await sign({ orderId }), { chain: counting, ...over }))
      return codes
    }
    const few = (burst: number) => createTokenBuckets({ burst, refillMs: 60_000 })
    expect(await codesOf({ perOrder: few(1) })).toEqual(['wrong_signer', 'agent_busy', 'wrong_signer', 'wrong_signer'])
    expect(await codesOf({ overall: few(3) })).toEqual(['wrong_signer', 'wrong_signer', 'wrong_signer', 'agent_busy'])
    const flooded = { chain: counting, perOrder: few(1), overall: few(1) }
    const codesByPlatform: string[] = []
    for (const platform of ['flooding', 'flooding', 'other'])
      codesByPlatform.push(await code(await sign(), { ...flooded, platform }))
    expect(codesByPlatform).toEqual(['wrong_signer', 'agent_busy', 'wrong_signer'])
    await expect(verifyDeploy(await sign(), { ...context, chain: counting })).rejects.toMatchObject({ retryable: false })
  })
})
