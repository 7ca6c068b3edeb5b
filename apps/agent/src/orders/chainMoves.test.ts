import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marketAbi } from '@rackfair/contracts'
import { contractCall, getNode, getOrder, moveOrder, quoteExtension } from '@rackfair/sdk'
import { publishMarket, visit, whyItRests } from '@rackfair/testkit'
import Docker from 'dockerode'
import { createTestClient, createWalletClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../foundation/runCommand.ts'
import { PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { execIn } from '../runtime/engine/execIn.ts'
import { tableName, workloadName } from '../runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../runtime/engine/podmanService.ts'
import { dropContainer } from '../testing/dropContainer.ts'
import { killProcess } from '../testing/killProcess.ts'
import { deployMany } from '../testing/manyOrders.ts'
import { dropImage, makeImageCache } from '../testing/recipeImages.ts'
import { setupMarket, startTestAgent, type TestMarket } from '../testing/setupAgent.ts'
import { temporaryFolder } from '../testing/temporaryFolder.ts'
import { MONTH_SECONDS } from '../testing/testBuyer.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'

const APACHE = 1
const NGINX = 2
/** www-data, the preset's user. */
const UID_OF_NGINX = 33
/** Further presets of this test's catalogue, all nginx: two that never answer the agent, and one that answers unless a file exists. */
const MUTE = 6
const MUTE_SECONDS = 3
const LONG_MUTE = 8
const LONG_MUTE_SECONDS = 600
const MOODY = 7
const MOODY_SECONDS = 5
const DAY_MS = 86_400_000
const MANY = process.env.RACKFAIR_DEEP === '1' ? 50 : 6
const reason = whyNoContainers() ?? whyItRests('chain moves')

describe.skipIf(reason)(`an agent whose environment changes (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>> | undefined
  let offsetMs = 0
  const bought: bigint[] = []
  const presetsFolder = temporaryFolder('presets')
  const imageCache = temporaryFolder('images')

  beforeAll(async () => {
    makeImageCache(imageCache)
    unfetchableApache(presetsFolder)
    addNginx(presetsFolder, MUTE, MUTE_SECONDS, '              command: ["false"]')
    addNginx(presetsFolder, LONG_MUTE, LONG_MUTE_SECONDS, '              command: ["false"]')
    addNginx(presetsFolder, MOODY, MOODY_SECONDS, '              command: ["test", "!", "-f", "/srv/www/silent"]')
    market = await setupMarket((config) => ({ ...config, presetsFolder, imageCache, stopWorkloadsOnExit: false, oversell: true }))
  })
  afterEach(async () => {
    offsetMs = 0
    await start()
    try {
      for (const orderId of bought.splice(0)) {
        const { status, user } = await order(orderId)
        const owner = Object.values(market.chain.accounts).find(({ address }) => address === user)
        if (status === 1 || status === 2) await market.buyer.cancel(orderId, owner)
      }
      await eventually(async () => (await running()).length).toBe(0)
    } finally {
      await stop()
    }
  })
  afterAll(async () => {
    await start()
    await agent?.runtime.close({ stopWorkloads: true })
    await stop().catch(() => {})
    await market?.close()
  })

  const start = async () => {
    agent ??= await startTestAgent(market, { clock: () => Date.now() + offsetMs })
    return agent
  }
  const stop = async () => {
    const last = agent
    agent = undefined
    await last?.stop()
  }
  /** Waits until the agent has reconciled with the chain and with every order twice. */
  const reconciled = async () => {
    const { manager } = await start()
    for (let count = 0; count < 2; count += 1) await manager.reconcile()
  }
  const running = async () => (await (await start()).runtime.list()).filter((one) => one.running)
  const eventually = (read: () => Promise<unknown>) => expect.poll(read, { interval: 200 })
  const order = (id: bigint) => getOrder(market.buyer.client, market.buyer.addresses, id)
  const node = (id: bigint) => getNode(market.buyer.client, market.buyer.addresses, market.provider, id)
  const chainControl = () => createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  const docker = () => new Docker({ socketPath: podmanPaths('', market.config().instance).socket })
  /** Kills an application, and waits until the engine knows: asked to do it, the engine would wait five seconds and then fail. */
  const kill = async (orderId: bigint) => {
    const processOf = async () => {
      const { State } = await docker().getContainer(workloadName(market.config().instance, orderId)).inspect()
      return State.Pid
    }
    const killed = await processOf()
    killProcess(killed)
    await eventually(processOf).not.toBe(killed)
  }
  const ask = async (orderId: bigint, deployId: number) =>
    market.peer.deploy(await market.buyer.sign({ orderId, deployId, provider: market.provider }))
  const buy = async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    bought.push(orderId)
    return orderId
  }
  const deploy = async (orderId: bigint, deployId = NGINX) => {
    await start()
    const answer = await ask(orderId, deployId)
    expect(answer.status).toBe(202)
    const id = answer.deployment?.id ?? ''
    await market.peer.phase(id, 'Running')
    await eventually(() => market.buyer.appOf(orderId)).toBe('nginx')
    return id
  }
  const visitOrder = async (orderId: bigint, path = '/') => {
    const link = `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`
    const page = await visit(link, path)
    return { status: page.status, text: await page.text() }
  }
  const activations = (id: bigint) =>
    market.buyer.client.getContractEvents({
      address: market.buyer.addresses.market,
      abi: marketAbi,
      eventName: 'OrderActivated',
      args: { id },
      fromBlock: 0n,
    })

  it('survives a clock jump of two days forth and back, and names the clock as a reason for refusal', async () => {
    const orderId = await buy()
    const deploymentId = await deploy(orderId)
    for (const [jumpMs, code] of [
      [2 * DAY_MS, 'text_too_old'],
      [-2 * DAY_MS, 'text_in_future'],
    ] as const) {
      offsetMs = jumpMs
      await reconciled()
      expect(await running()).toHaveLength(1)
      expect(await ask(orderId, 0)).toMatchObject({ status: 400, code })
      await kill(orderId)
      await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    }
    offsetMs = 0
    expect(market.peer.statuses.filter((one) => one.id === deploymentId).at(-1)?.phase).toBe('Running')
    expect((await activations(orderId)).length).toBe(1)
    expect((await ask(orderId, 0)).status).toBe(202)
  })

  it('resumes an order that was extended while it was away, beyond its first end', async () => {
    const { buyer, chain } = market
    const orderId = await buy()
    await deploy(orderId)
    await stop()
    const feeWei = await quoteExtension(buyer.client, buyer.addresses, orderId, MONTH_SECONDS)
    await buyer.send(chain.accounts.user, contractCall(buyer.addresses, 'credit', 'approve', [buyer.addresses.market, feeWei]))
    await buyer.send(chain.accounts.user, contractCall(buyer.addresses, 'market', 'extend', [orderId, MONTH_SECONDS]))
    await chainControl().increaseTime({ seconds: MONTH_SECONDS + 3600 })
    await chainControl().mine({ blocks: 1 })
    await start()
    await reconciled()
    await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    expect(await running()).toHaveLength(1)
    await chainControl().increaseTime({ seconds: MONTH_SECONDS })
    await chainControl().mine({ blocks: 1 })
    await eventually(async () => (await running()).length).toBe(0)
    await eventually(async () => (await (await start()).runtime.ordersWithData()).length).toBe(0)
    await eventually(async () => (await node(1n)).sold).toBe(false)
  })

  it('neither restarts nor stops an order that should have ended while the chain is unreachable', async () => {
    const orderId = await buy()
    await deploy(orderId)
    await stop()
    const { activateTime, duration } = await order(orderId)
    process.kill(market.chain.pid, 'SIGSTOP')
    try {
      offsetMs = (Number(activateTime) + Number(duration) + 3600) * 1000 - Date.now()
      const { lines } = await start()
      const silentLooks = () => lines.filter((line) => line.includes('orders continue as they are')).length
      await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
      await kill(orderId)
      const before = silentLooks()
      // The second one begins once everything triggered by the first is over.
      await eventually(async () => silentLooks() - before).toBeGreaterThan(1)
      expect(await running()).toEqual([])
      offsetMs = 0
      await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    } finally {
      process.kill(market.chain.pid, 'SIGCONT')
    }
  })

  it('ends an order that was cancelled while it was away', async () => {
    const orderId = await buy()
    const id = await deploy(orderId)
    await stop()
    await market.buyer.cancel(orderId)
    const started = await start()
    await market.peer.phase(id, 'Closed')
    expect(await started.runtime.list()).toEqual([])
    expect(await started.runtime.ordersWithData()).toEqual([])
  })

  it('ends an order cancelled during the start of its application at once', async () => {
    const { runtime } = await start()
    const orderId = await buy()
    const id = (await ask(orderId, LONG_MUTE)).deployment?.id ?? ''
    await market.peer.phase(id, 'Starting')
    await eventually(async () => (await running()).length).toBe(1)
    await market.buyer.cancel(orderId)
    await eventually(() => runtime.list()).toEqual([])
    const closed = await market.peer.phase(id, 'Closed')
    for (const phase of ['Running', 'Failed']) expect(closed.steps.map((step) => step.phase)).not.toContain(phase)
    expect(await runtime.ordersWithData()).toEqual([])
    expect((await order(orderId)).deployed).toBe(false)
  })

  it('stops an application that never responded, reports it once, and accepts the next request at once', async () => {
    const { lines } = await start()
    const orderId = await buy()
    const id = (await ask(orderId, MUTE)).deployment?.id ?? ''
    const failed = await market.peer.phase(id, 'Failed')
    expect(failed.steps.at(-1)).toMatchObject({ phase: 'Failed', code: 'start_timeout' })
    await eventually(async () => (await running()).length).toBe(0)
    expect(lines.filter((line) => line.includes('not in its wanted state'))).toHaveLength(1)
    await deploy(orderId)
  })

  it('admits visitors to an application that stopped responding, and restarts it after a while, keeping its data', async () => {
    const orderId = await buy()
    const id = await deploy(orderId, MOODY)
    const site = join(market.data, 'volumes', String(orderId), 'mnt', 'site')
    const startOf = async () => (await running())[0]?.upstream?.start
    const first = await startOf()
    const phase = () => market.peer.statuses.findLast((one) => one.id === id)?.phase
    writeFileSync(join(site, 'silent'), '')
    await eventually(async () => phase()).toBe('Degraded')
    await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    await eventually(async () => ![undefined, first].includes(await startOf())).toBe(true)
    expect(existsSync(join(site, 'silent'))).toBe(true)
    rmSync(join(site, 'silent'))
    await eventually(async () => phase()).toBe('Running')
    await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    expect((await activations(orderId)).length).toBe(1)
  })

  it('rebuilds a missing image, on deployment and under a running application, and starts no other than the promised one', async () => {
    const { images } = (await start()).runtime
    const app = (await import('../presets/loadCatalog.ts')).loadCatalog(presetsFolder).get(NGINX)?.app
    if (!app || !images) throw new Error('no nginx')
    await dropImage(imageCache, await images.ensure(app))
    const orderId = await buy()
    const id = await deploy(orderId)
    expect(market.peer.statuses.findLast((one) => one.id === id)?.steps.map((step) => step.phase)).toContain('Pulling')
    writeFileSync(join(market.data, 'volumes', String(orderId), 'mnt', 'site', 'kept.txt'), 'kept')
    const { runtime } = await start()
    const { ensureImage } = runtime
    const loseImage = async (rebuild: (tar: string) => void) => {
      const dropped = Promise.withResolvers<void>()
      // A container created while its image is being removed cannot be read by the engine.
      runtime.ensureImage = (...asked) => dropped.promise.then(() => ensureImage(...asked))
      await dropContainer(docker().getContainer(workloadName(market.config().instance, orderId)))
      await dropImage(imageCache, await images.ensure(app))
      expect(await running()).toHaveLength(0)
      for (const name of readdirSync(imageCache).filter((one) => one.includes('nginx') && one.endsWith('.tar'))) {
        const bytes = readFileSync(join(imageCache, name))
        rmSync(join(imageCache, name))
        writeFileSync(join(imageCache, name), bytes)
        rebuild(join(imageCache, name))
      }
      dropped.resolve()
    }
    const runs = async () => (await start()).manager.node(1n)?.runs
    await loseImage(() => {})
    await eventually(async () => (await visitOrder(orderId, '/kept.txt')).text).toBe('kept')
    expect((await activations(orderId)).length).toBe(1)
    // Rebuilt from the same sources, it is the promised image.
    const promised = (await runs())?.promise?.image
    expect(promised).toBe(`0x${(await runs())?.imageId}`)
    // From others it is not, and a promise cannot be taken back: the image waits for the renter to deploy again.
    await loseImage((tar) => appendFileSync(tar, Buffer.alloc(512)))
    const last = () => market.peer.statuses.findLast((one) => one.id === id)?.steps.at(-1)
    await eventually(async () => last()?.code).toBe('image_changed')
    expect(last()).toMatchObject({ phase: 'Degraded', message: expect.stringContaining('deploy again') })
    expect(await running()).toHaveLength(0)
    runtime.ensureImage = ensureImage
    await deploy(orderId)
    expect((await runs())?.promise?.image).toBe(`0x${(await runs())?.imageId}`)
    expect((await runs())?.promise?.image).not.toBe(promised)
    expect((await visitOrder(orderId)).status).toBe(200)
  })

  it('tells the buyer what to do about an unavailable image, and runs another application on the same order', async () => {
    await start()
    const orderId = await buy()
    const answer = await ask(orderId, APACHE)
    const failed = await market.peer.phase(answer.deployment?.id ?? '', 'Failed')
    const step = failed.steps.find((one) => one.phase === 'Failed')
    expect(step?.code).toBe('image_missing')
    expect(step?.message).toContain('deploy another application, or ask the provider to run rackfair-agent images sync apache')
    expect(await visitOrder(orderId)).toMatchObject({ status: 502, text: expect.stringContaining('image_missing') })
    await eventually(async () => (await order(orderId)).status).toBe(2)
    await deploy(orderId)
    expect((await visitOrder(orderId)).status).toBe(200)
  })

  it('activates again after a reorganisation removed the activation', async () => {
    const { client } = market.buyer
    const orderId = await buy()
    await chainControl().mine({ blocks: 4 })
    const before = await client.getBlockNumber()
    await deploy(orderId)
    await eventually(async () => (await node(1n)).avail).toBe(true)
    const [container] = await running()
    await reorganise(Number((await client.getBlockNumber()) - before) + 1)
    await eventually(async () => (await order(orderId)).status).toBe(2)
    await eventually(async () => (await node(1n)).avail).toBe(true)
    await eventually(() => market.buyer.appOf(orderId)).toBe('nginx')
    expect((await activations(orderId)).length).toBe(1)
    expect(await running()).toEqual([container])
  })

  it('wipes an order removed by a reorganisation, and gives its number to the next buyer clean', async () => {
    const { client } = market.buyer
    await chainControl().mine({ blocks: 4 })
    const before = await client.getBlockNumber()
    const orderId = await buy()
    const id = await deploy(orderId)
    writeFileSync(join(market.data, 'volumes', String(orderId), 'mnt', 'site', 'secret.txt'), 'of the first buyer')
    await reorganise(Number((await client.getBlockNumber()) - before) + 1)
    expect((await order(orderId)).id).toBe(0n)
    const next = await market.buyer.buy(market.provider, 1n, 1, market.chain.accounts.otherUser)
    expect(next).toBe(orderId)
    await market.peer.phase(id, 'Closed')
    const started = await start()
    await eventually(async () => (await started.runtime.list()).length).toBe(0)
    await eventually(async () => (await started.runtime.ordersWithData()).length).toBe(0)
    await market.buyer.cancel(next, market.chain.accounts.otherUser)
  })

  it('restores a firewall removed under a running order within seconds', async () => {
    const orderId = await buy()
    await deploy(orderId)
    const { runtime, lines } = await start()
    const noticed = () => lines.filter((line) => line.includes('restoring it')).length
    const before = noticed()
    await runCommand('nft', ['delete', 'table', 'inet', tableName(market.config().instance)])
    await eventually(async () => noticed()).toBeGreaterThan(before)
    await eventually(async () => runtime.firewall?.intact()).toBe(true)
    // The engine's own rules are restored after the tenants' firewall.
    await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
  })

  it('ends orders and removes leftovers even while the firewall and one leftover fail', async () => {
    await start()
    const orderId = await buy()
    await deploy(orderId)
    const leftover = (id: number) => join(market.data, 'volumes', String(id))
    const held = join(leftover(9998), 'held')
    const path = process.env.PATH
    const broken = mkdtempSync(join(tmpdir(), 'rackfair-nft-'))
    writeFileSync(join(broken, 'nft'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    try {
      process.env.PATH = `${broken}:${path}`
      for (const id of [9998, 9999]) mkdirSync(leftover(id), { recursive: true })
      writeFileSync(held, '')
      expect((await runCommand('chattr', ['+i', held])).code).toBe(0)
      await market.buyer.cancel(orderId)
      await eventually(async () => (await running()).length).toBe(0)
      await eventually(async () => existsSync(leftover(9999))).toBe(false)
      expect(existsSync(held)).toBe(true)
    } finally {
      process.env.PATH = path
      rmSync(broken, { recursive: true })
      await runCommand('chattr', ['-i', held])
    }
    await eventually(async () => existsSync(held)).toBe(false)
  })

  it('recreates a container removed by hand, with its data, and does not contact others at its address meanwhile', async () => {
    const orderId = await buy()
    await deploy(orderId)
    const container = docker().getContainer(`rackfair-${market.config().instance}-${orderId}`)
    const inside = (line: string) => execIn(container, ['/bin/sh', '-c', line], 120_000)
    expect((await inside('umask 077; echo first > /srv/www/kept.txt')).code).toBe(0)
    expect((await visitOrder(orderId, '/kept.txt')).text).toBe('first\n')
    const seen = new Set<number>()
    for (const round of ['removed', 'half removed']) {
      // An engine that cannot delete a container's files forgets the container and leaves the files.
      const { Id } = await container.inspect()
      const held = join(market.data, 'engine/storage/overlay-containers', Id, 'userdata/held')
      if (round === 'half removed') {
        writeFileSync(held, '')
        expect((await runCommand('chattr', ['+i', held])).code).toBe(0)
      }
      await container.remove({ force: true }).catch(() => {})
      expect(existsSync(held)).toBe(round === 'half removed')
      const content = async () => {
        const { status, text } = await visitOrder(orderId, '/kept.txt')
        seen.add(status)
        return text
      }
      await eventually(content).toBe('first\n')
      const again = await inside('cat /srv/www/kept.txt && echo more >> /srv/www/more.txt && cat /srv/www/more.txt')
      expect([round, again.code, again.output]).toEqual([round, 0, round === 'removed' ? 'first\nmore\n' : 'first\nmore\nmore\n'])
      const { State } = await container.inspect()
      const firstId = Number(readFileSync(`/proc/${State.Pid}/uid_map`, 'utf8').trim().split(/\s+/)[1])
      for (const name of ['kept.txt', 'more.txt', ''])
        expect(statSync(join(market.data, 'volumes', String(orderId), 'mnt', 'site', name)).uid).toBe(firstId + UID_OF_NGINX)
    }
    await runCommand('chattr', ['-R', '-i', join(market.data, 'engine/storage/overlay-containers')])
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await activations(orderId)).length).toBe(1)
  })

  it('stops on another first block without changes, and resumes once the chain is right', async () => {
    const orderId = await buy()
    await deploy(orderId)
    const { state } = await start()
    const known = state.fact('genesis') as string
    state.putFact('genesis', `0x${'0'.repeat(64)}`)
    await stop()

    const fatal = Promise.withResolvers<void>()
    agent = await startTestAgent(market, { onFatal: fatal.resolve })
    await fatal.promise
    expect(agent.lines.join()).toMatch(/is a different chain .* Nothing was changed, orders keep running/)
    await agent.manager.reconcile()
    expect((await running()).map((one) => one.orderId)).toEqual([orderId])
    expect(agent.state.commands().map((one) => [one.orderId, one.endedAt])).toEqual([[orderId, undefined]])
    agent.state.putFact('genesis', known)
    await stop()

    await start()
    await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    expect((await activations(orderId)).length).toBe(1)
  })

  it(`restarts ${MANY} orders after a full stop`, async () => {
    await start()
    const orders = await deployMany(market, MANY)
    bought.push(...orders)
    await stop()
    const paths = podmanPaths(join(market.data, 'engine'), market.config().instance)
    await runCommand('podman', [...podmanArguments(paths), 'stop', '--all', '--time', '1'], { env: podmanEnvironment(paths) })
    const again = await start()
    await eventually(async () => (await running()).length).toBe(MANY)
    await again.runtime.stop(orders[0] as bigint)
    const [, second] = orders
    await dropContainer(docker().getContainer(`rackfair-${market.config().instance}-${second}`))
    for (const orderId of orders) await eventually(async () => (await visitOrder(orderId)).status).toBe(200)
    for (const orderId of orders) await eventually(async () => (await activations(orderId)).length).toBe(1)
    expect(await running()).toHaveLength(MANY)
  })

  // The last one: nothing is bought in the next version.
  it('continues under a new version of the market, and hands over its machine clean when the order moves', async () => {
    const { buyer, chain } = market
    const orderId = await buy()
    const id = await deploy(orderId)
    writeFileSync(join(market.data, 'volumes', String(orderId), 'mnt', 'site', 'kept.txt'), 'kept')
    const current = await publishMarket({ rpcUrl: chain.rpcUrl, access: chain.deployment.access })
    await reconciled()
    expect((await visitOrder(orderId, '/kept.txt')).text).toBe('kept')

    const wallet = createWalletClient({ account: chain.accounts.user, transport: http(chain.rpcUrl) })
    const { client, addresses } = buyer
    const moved = await moveOrder({ client, addresses, chainId: chain.chainId, wallet }, orderId)
    await market.peer.phase(id, 'Closed')
    const { runtime } = await start()
    expect([await runtime.list(), await runtime.ordersWithData()]).toEqual([[], []])
    expect(await node(1n)).toMatchObject({ sold: true, orderId: moved.orderId })
    // Nobody's data is at either address, and nothing says that the new one is running.
    expect([(await visitOrder(orderId)).status, (await visitOrder(moved.orderId)).status]).toEqual([404, 404])

    await deploy(moved.orderId)
    expect((await running()).map((one) => one.orderId)).toEqual([moved.orderId])
    expect((await visitOrder(moved.orderId)).status).toBe(200)
    expect((await visitOrder(moved.orderId, '/kept.txt')).status).toBe(404)
    await buyer.send(chain.accounts.user, contractCall(addresses, 'market', 'userCancel', [moved.orderId], current))
  })

  /** Replaces the last blocks with empty ones. */
  const reorganise = async (depth: number) => chainControl().request({ method: 'anvil_reorg', params: [depth, []] } as never)
})

/** The catalogue, with an apache image that no registry has. */
function unfetchableApache(folder: string): void {
  const image = 'registry.invalid/rackfair/no-such-image:1'
  cpSync(PRESETS_FOLDER, folder, { recursive: true })
  for (const name of ['catalog.json', 'apache.yaml']) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace('localhost/rackfair/apache', image))
  }
}

function addNginx(folder: string, id: number, seconds: number, probe: string): void {
  const yaml = readFileSync(join(folder, 'nginx.yaml'), 'utf8').replace('failureThreshold: 60', `failureThreshold: ${seconds}`)
  writeFileSync(join(folder, `${id}.yaml`), yaml.replace(/httpGet:\n +path: \/\n +port: 8080/, `exec:\n${probe}`))
  const file = join(folder, 'catalog.json')
  const catalog = JSON.parse(readFileSync(file, 'utf8')) as { id: number }[]
  const nginx = catalog.find((one) => one.id === NGINX)
  const others = catalog.filter((one) => one.id !== id)
  writeFileSync(file, JSON.stringify([...others, { ...nginx, id, yaml: `${id}.yaml` }]))
}
