import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { acknowledgementData, attestationData, probeData, promiseData } from '@rackfair/sdk/uptime'
import { startMonitoredMarket } from '@rackfair/testkit'
import { type Address, type Hex, keccak256, type LocalAccount, recoverTypedDataAddress, stringToBytes, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type AttestedNode, createAttestations } from './createAttestations.ts'
import { createPromises, deploymentHash, imageDigest } from './createPromises.ts'
import { createKnownMonitors } from './knownMonitors.ts'
import { openEvidence } from './openEvidence.ts'

const CHAIN = 2985
const BEACON: Hex = `0x${'be'.repeat(32)}`
/** The running image of node 1, which is not the promised one. */
const RUNS = { deploymentId: 'd7', imageId: 'bb'.repeat(32) }
const { epochAt } = createCalendar(PRODUCTION_PACE)
/** Stands still: no epoch ends between a question and its answer. */
const NOW = Math.floor(Date.now() / 1000)

describe('an agent that monitors query', () => {
  let market: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    market = await setup()
  })
  afterAll(() => market.stop())

  it('attests each of its nodes to a monitor, and keeps the acknowledgement over a restart', async () => {
    const { ask, monitor, contract, operator, provider, address } = market
    const epoch = epochAt(NOW)
    const { status, body } = await ask('attestation', await market.question(monitor, epoch, ['1', '2', '9']))
    expect(status).toBe(200)
    expect(body.attestations).toMatchObject([
      { nodeId: '1', orderId: '7', healthy: true },
      { nodeId: '2', orderId: '0', healthy: false },
    ])
    expect(body.attestations[1]).toMatchObject({ deployment: zeroHash, image: zeroHash })
    const { deployment, image } = body.attestations[0]
    expect([deployment, image]).toEqual([deploymentHash(RUNS.deploymentId), `0x${RUNS.imageId}`])
    const machine = { market: address, orderId: 7n, provider, nodeId: 1n, epoch }
    const facts = { ...machine, beacon: BEACON, healthy: true, deployment, image, monitor: monitor.address }
    const signer = await recoverTypedDataAddress({
      ...attestationData(CHAIN, contract, facts),
      signature: body.attestations[0].signature,
    })
    expect(signer).toBe(operator.address)
    const { signature: word, ...promised } = body.attestations[0].promise
    expect(promised).toEqual({ deployment, spec: keccak256(stringToBytes('2')), image: `0x${'aa'.repeat(32)}` })
    const promiser = await recoverTypedDataAddress({
      ...promiseData(CHAIN, contract, { market: address, orderId: 7n, ...promised }),
      signature: word,
    })
    expect(promiser).toBe(operator.address)

    const given = { nodeId: '1', orderId: '7', market: address.toLowerCase() }
    const signature = await monitor.signTypedData(acknowledgementData(CHAIN, contract, facts))
    const acknowledgements = [
      { ...given, signature },
      // For another order than was signed.
      { ...given, orderId: '8', signature },
    ]
    const kept = await ask('acknowledgement', { monitor: monitor.address, epoch, acknowledgements })
    expect(kept).toEqual({ status: 200, body: { kept: 1 } })
    market.evidence.close()
    const again = openEvidence(market.file)
    expect(again.ofOrder(7n, epoch, epoch)).toMatchObject([
      { epoch, nodeId: 1n, signature, monitor: monitor.address.toLowerCase() },
    ])
    again.close()
    market.evidence = openEvidence(market.file)
  })

  it('keeps no acknowledgement of a node or an order that is not its own', async () => {
    const { ask, monitor, contract, provider, address, stranger } = market
    const epoch = epochAt(NOW)
    const sign = async (nodeId: string, orderId: string, where = address) => {
      const facts = { market: where, orderId: BigInt(orderId), provider, nodeId: BigInt(nodeId), epoch }
      const signature = await monitor.signTypedData(acknowledgementData(CHAIN, contract, facts))
      return { nodeId, orderId, market: where.toLowerCase(), signature }
    }
    const acknowledgements = [await sign('9', '7'), await sign('1', '8'), await sign('1', '7', stranger.address)]
    const kept = await ask('acknowledgement', { monitor: monitor.address, epoch, acknowledgements })
    expect(kept).toEqual({ status: 200, body: { kept: 0 } })
  })

  it('keeps the acknowledgement of an order that ended after it was attested', async () => {
    const { ask, monitor, contract, provider, address, nodes } = market
    const epoch = epochAt(NOW)
    await ask('attestation', await market.question(monitor, epoch, ['1']))
    const before = nodes.get(1n)
    nodes.set(1n, { orderId: 0n, market: address, healthy: false, runs: undefined })
    onTestFinished(() => void nodes.set(1n, before as NonNullable<typeof before>))
    const signOf = async (orderId: bigint) => {
      const data = acknowledgementData(CHAIN, contract, { market: address, orderId, provider, nodeId: 1n, epoch })
      return {
        nodeId: '1',
        orderId: String(orderId),
        market: address.toLowerCase(),
        signature: await monitor.signTypedData(data),
      }
    }
    const acknowledgements = [await signOf(7n), await signOf(8n)]
    const kept = await ask('acknowledgement', { monitor: monitor.address, epoch, acknowledgements })
    expect(kept).toEqual({ status: 200, body: { kept: 1 } })
  })

  it('signs nothing for unknown senders, for other epochs, or under a monitor’s name', async () => {
    const { ask, monitor, stranger, question } = market
    const epoch = epochAt(NOW)
    expect(await ask('attestation', await question(stranger, epoch, ['1']))).toMatchObject({ status: 403 })
    const forged = { ...(await question(stranger, epoch, ['1'])), monitor: monitor.address }
    expect(await ask('attestation', forged)).toMatchObject({ status: 403 })
    expect(await ask('attestation', await question(monitor, epoch - 2, ['1']))).toMatchObject({ status: 409 })
    expect(await ask('attestation', await question(monitor, epoch + 2, ['1']))).toMatchObject({ status: 409 })
    expect(await ask('attestation', { monitor: monitor.address })).toMatchObject({ status: 400 })
    expect(await ask('attestation', await question(monitor, epoch, Array(17).fill('1')))).toMatchObject({ status: 400 })
    const big = { ...(await question(monitor, epoch, ['1'])), padding: 'x'.repeat(20_000) }
    expect(await ask('attestation', big)).toMatchObject({ status: 400 })
  })

  it('knows a monitor by the keys that it named, at once and also by those it replaced', async () => {
    const { ask, monitor, contract, question, name } = market
    const epoch = epochAt(NOW)
    const key = privateKeyToAccount(generatePrivateKey())
    const byKey = { ...(await question(key, epoch, ['1'])), monitor: monitor.address }
    expect(await ask('attestation', byKey)).toMatchObject({ status: 403 })
    await name(key.address)
    market.later(10_000)
    expect(await ask('attestation', byKey)).toMatchObject({ status: 200 })
    expect(await ask('attestation', await question(monitor, epoch, ['1']))).toMatchObject({ status: 200 })
    const facts = { market: market.address, orderId: 7n, provider: market.provider, nodeId: 1n, epoch }
    const given = { nodeId: '1', orderId: '7', market: market.address.toLowerCase() }
    const acknowledgements = [{ ...given, signature: await key.signTypedData(acknowledgementData(CHAIN, contract, facts)) }]
    const kept = await ask('acknowledgement', { monitor: monitor.address, epoch, acknowledgements })
    expect(kept).toEqual({ status: 200, body: { kept: 1 } })
  })

  it('answers a bonded monitor whatever a stranger at the same address sends', async () => {
    const { ask, monitor, stranger, question } = market
    const epoch = epochAt(NOW)
    const forged = { ...(await question(stranger, epoch, ['1'])), monitor: monitor.address }
    const rubbish = [{}, 'x', forged, await question(stranger, epoch, ['1'])]
    const flood = await Promise.all(Array.from({ length: 100 }, (_, index) => ask('attestation', rubbish[index % 4])))
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([400, 403, 429]))
    for (let count = 0; count < 30; count += 1)
      expect(await ask('attestation', await question(monitor, epoch, ['1', '2']))).toMatchObject({ status: 200 })
  })

  it.each([
    ['ab'.repeat(32), `0x${'ab'.repeat(32)}`],
    [`registry.example/app@sha256:${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
    ['registry.example/app:1.2', undefined],
    ['', undefined],
  ])('reads the digest of %s', (imageId, digest) => {
    expect(imageDigest(imageId)).toBe(digest)
  })

  it('keeps acknowledgements of at most 64 monitors per epoch and node', () => {
    const given = { epoch: 5, nodeId: 3n, orderId: 1n, market: lowerCaseAddress('0x1'), signature: '0x' }
    const kept = Array.from({ length: 70 }, (_, index) =>
      market.evidence.keep({ ...given, monitor: lowerCaseAddress(`0x${index}`) }),
    )
    expect(kept.filter(Boolean)).toHaveLength(64)
  })
})

it('is told to ask again while the chain was never read, and answered once it was', async () => {
  const market = await startMonitoredMarket({ monitors: 1, orders: 0 })
  onTestFinished(() => market.stop())
  const { client, addresses } = market
  let time = 0
  let isAway = true
  const away = new Proxy(client, {
    get: (real, name) => (name === 'readContract' && isAway ? () => Promise.reject(new Error('away')) : Reflect.get(real, name)),
  })
  const monitors = createKnownMonitors({ client: away, addresses }, () => time)
  const unread = { code: 'chain_unreachable', retryable: true }
  await expect(Promise.all([monitors(), monitors()])).rejects.toMatchObject(unread)
  isAway = false
  await expect(monitors()).rejects.toMatchObject(unread)
  time += 1000
  expect((await monitors()).accounts.size).toBe(1)
  isAway = true
  time += 60_000
  expect((await monitors()).accounts.size).toBe(1)
})

async function setup() {
  const chain = await startMonitoredMarket({ monitors: 1, orders: 0 })
  const { client, addresses, contract, operator, provider, stranger } = chain
  const [monitor] = chain.accounts as [LocalAccount]

  const folder = mkdtempSync(joinPath(tmpdir(), 'rackfair-evidence-'))
  const file = joinPath(folder, 'evidence.sqlite')
  const shared = { evidence: openEvidence(file) }
  let time = 0
  const monitors = createKnownMonitors({ client, addresses }, () => time)
  const sign = createPromises({ account: operator, chainId: CHAIN, monitors })
  const promise = await sign({ market: addresses.market, orderId: 7n, deploymentId: 'd7', spec: '2', imageId: 'aa'.repeat(32) })
  const nodes = new Map<bigint, AttestedNode>([
    [1n, { orderId: 7n, market: addresses.market, healthy: true, runs: { ...RUNS, promise } }],
    [2n, { orderId: 0n, market: addresses.market, healthy: false, runs: undefined }],
  ])
  const attestations = createAttestations({
    account: operator,
    chainId: CHAIN,
    provider: provider.address,
    monitors,
    node: (nodeId) => nodes.get(nodeId),
    evidence: { ...shared.evidence, keep: (given) => shared.evidence.keep(given) },
    now: () => NOW,
  })
  const server = createServer((request, response) => {
    const what = request.url === '/attestation' ? attestations.attestation : attestations.acknowledgement
    void what(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo

  return {
    ...{ contract, operator, provider: provider.address, address: addresses.market, monitor, stranger, file, nodes },
    name: (key: Address) => chain.send(monitor, 'nameKey', [key]),
    later(ms: number) {
      time += ms
    },
    get evidence() {
      return shared.evidence
    },
    set evidence(one) {
      shared.evidence = one
    },
    async question(account: typeof monitor, epoch: number, asked: string[]) {
      const signature = await account.signTypedData(probeData(CHAIN, contract, { provider: provider.address, epoch }))
      return { monitor: account.address, epoch, beacon: BEACON, nodes: asked, signature }
    },
    async ask(what: string, body: unknown) {
      const answer = await fetch(`http://127.0.0.1:${port}/${what}`, { method: 'POST', body: JSON.stringify(body) })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    },
    async stop() {
      server.close()
      shared.evidence.close()
      await chain.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
