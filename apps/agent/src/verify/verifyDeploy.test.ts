import { join } from 'node:path'
import {
  appText,
  formatDeployText,
  type LowerCaseAddress,
  OWN_APP_DEPLOY_ID,
  parseAppSpec,
  parseDeployText,
} from '@rackfair/core'
import { contractCall } from '@rackfair/sdk'
import type { Chain } from '@rackfair/testkit'
import fc from 'fast-check'
import { createTestClient, http, keccak256, stringToBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainOrder, openChain } from '../chain/chainView.ts'
import { openAgentDb } from '../orders/openAgentDb.ts'
import { setupVerify } from '../testing/setupVerify.ts'
import { MONTH_SECONDS, type TestBuyer } from '../testing/testBuyer.ts'
import { createTokenBuckets } from './tokenBuckets.ts'
import type { VerifyContext } from './verifyDeploy.ts'

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
    buyer.sign({ orderId, deployId: NGINX, provider, ...facts }, signer)
  const code = (request: unknown, over: Partial<VerifyContext> = {}) => market.code(request, over)
  const now = () => Math.floor(Date.now() / 1000)

  it('accepts what the owner signed', async () => {
    expect(await code(await sign())).toBe('accepted')
    expect(await code(await sign({ env: { PAGE_TITLE: 'Hi' } }))).toBe('accepted')
  })

  it('takes an own application as it was signed, with the values that it asks for, and nothing else', async () => {
    const app = appText(parseAppSpec({ image: 'redis', ports: [{ protocol: 'tcp', port: 6379 }], secrets: ['S'] }).spec as never)
    const own = (facts: Partial<Parameters<typeof buyer.sign>[0]> = {}) =>
      sign({ deployId: OWN_APP_DEPLOY_ID, app, env: { S: 'x' }, ...facts })
    const good = await own()
    expect(await code(good)).toBe('accepted')
    expect(await code({ ...good, app: app.replace('redis', 'evil') })).toBe('app_malformed')
    expect(await code({ ...good, app: undefined })).toBe('app_malformed')
    expect(await code({ ...good, sealed: (await own()).sealed })).toBe('secrets_unreadable')
    expect(await code(await own({ app: `${app} ` }))).toBe('app_malformed')
    expect(await code(await own({ app: '{"image":"redis"}' }))).toBe('app_malformed')
    expect(await code(await own({ env: { S: 'x', PATH: '/evil' } }))).toBe('env_not_allowed')
    expect(await code(await own({ env: { S: 'a\x1bb' } }))).toBe('env_not_allowed')
    expect(await code({ ...(await sign()), app })).toBe('app_malformed')
    expect(await code({ ...(await sign({ deployId: 0 })), app })).toBe('app_malformed')
    expect(await code(await own(), { ownImages: { ...context.ownImages, offered: false } })).toBe('own_images_refused')
    expect(await code(await own(), { ownImages: { ...context.ownImages, registries: ['ghcr.io'] } })).toBe('own_images_refused')
    expect(await code(await own(), { appPorts: false })).toBe('port_unavailable')
    const sandbox = appText(parseAppSpec({ image: 'redis', secrets: ['S'], sandbox: 'gvisor' }).spec as never)
    expect(await code(await own({ app: sandbox }))).toBe('accepted')
    expect(await code(await own({ app: sandbox }), { whyNoGvisor: 'runsc is not installed' })).toBe('runtime_refused')
    const mine = appText(parseAppSpec({ image: 'redis', ports: [{ protocol: 'http', port: 80, access: 'owner' }] }).spec as never)
    expect(await code(await sign({ deployId: OWN_APP_DEPLOY_ID, app: mine }), { ownOrigins: false })).toBe('preset_needs_origin')
  })

  it('refuses malformed and oversized texts, whatever they are', async () => {
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
      { text: good.text, signature: '0x12' },
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
  })

  it('never accepts a text that anything was done to (seeded)', async () => {
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

  it('refuses old and future texts', async () => {
    expect(await code(await sign({ time: now() - 310 }))).toBe('text_too_old')
    expect(await code(await sign({ time: now() + 90 }))).toBe('text_in_future')
    expect(await code(await sign({ time: now() - 280 }))).toBe('accepted')
  })

  it('refuses a replay, and anything signed before what was accepted last', async () => {
    const first = await sign({ time: now() - 100 })
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
      time: now() - 100,
      env: {},
      slot: 0,
      gpus: [],
      hasRun: false,
      endedAt: undefined,
    }
    expect(await code(first, { state })).toBe('accepted')
    state.accept(keccak256(stringToBytes(first.text)), command, deployment, {
      order: (await context.chain.order(orderId)) as ChainOrder,
      node: await context.chain.node(1n),
    })
    expect(await code(first, { state })).toBe('text_replayed')
    expect(await code(await sign({ time: now() - 200 }), { state })).toBe('text_out_of_order')
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

  it('refuses settings that were not signed, not offered, or not of the form', async () => {
    const good = await sign({ env: { PAGE_TITLE: 'Hi' } })
    expect(await code({ ...good, env: { PAGE_TITLE: 'Hi' } })).toBe('text_malformed')
    expect(await code({ text: good.text, signature: good.signature })).toBe('env_not_allowed')
    expect(await code(await sign({ env: { LD_PRELOAD: '/tmp/x.so' } }))).toBe('env_not_allowed')
    expect(await code(await sign({ env: { PAGE_TITLE: 'a\nB=1' } }))).toBe('env_not_allowed')
    expect(await code(await sign({ env: { PAGE_TITLE: 'x'.repeat(81) } }))).toBe('env_not_allowed')
    expect(await code(await sign({ deployId: 0, env: { PAGE_TITLE: 'Hi' } }))).toBe('env_not_allowed')
  })

  it('refuses unknown presets and those that do not fit the node', async () => {
    expect(await code(await sign({ deployId: 99 }))).toBe('preset_unknown')
    expect(await code(await sign({ deployId: 4 }))).toBe('preset_does_not_fit')
  })

  it('refuses what only its owner may open where no order has an origin of its own', async () => {
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

  it('says that the chain does not answer instead of guessing', async () => {
    const gone = await openChain({ rpcUrl: chain.rpcUrl, chainId: chain.chainId, access: chain.deployment.access, provider })
    const silent = { ...gone, head: () => Promise.reject(Object.assign(new Error('down'), { code: 'chain_unreachable' })) }
    expect(await code(await sign(), { chain: silent })).toBe('chain_unreachable')
  })

  it('stops a flood before it costs anything', async () => {
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
  })
})
