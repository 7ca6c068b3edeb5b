import type { ChildProcess } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  contractCall,
  createApi,
  getBalances,
  getNode,
  removeNodeCall,
  sendCall,
  setOperatorCall,
  unpledgeCall,
  withdrawInterestCall,
} from '@rackfair/sdk'
import { type Chain, freePort, publishMarket, startChain, whyItRests } from '@rackfair/testkit'
import { createTestClient, createWalletClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig, saveConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { runCommand } from '../foundation/runCommand.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { type CliOptions, runCli, startCli } from '../testing/runCli.ts'
import { IMAGE_CACHE } from '../testing/setupAgent.ts'
import { startPlatform } from '../testing/startPlatform.ts'
import { temporaryFolder } from '../testing/temporaryFolder.ts'
import { createTestBuyer } from '../testing/testBuyer.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'

const APACHE = 1
const NOBODY = 65_534
const DAY = 86_400
const THREE_DAYS = 3 * DAY
const reason = whyNoContainers() ?? whyItRests('provider life')

/** A single sequence, as in a provider's life: each test continues where the previous one ended. */
describe.skipIf(reason)(`a provider on the command line (${reason ?? 'here'})`, () => {
  const folder = temporaryFolder('life')
  const file = join(folder, 'agent.json')
  const providerKey = generatePrivateKey()
  const provider = privateKeyToAccount(providerKey).address
  let chain: Chain
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let buyer: Awaited<ReturnType<typeof createTestBuyer>>
  let gatewayPort: number
  let agent: ChildProcess | undefined
  let orderId: bigint

  beforeAll(async () => {
    chain = await startChain()
    platform = await startPlatform(chain, folder)
    buyer = await createTestBuyer(chain)
    gatewayPort = await freePort()
    await buyer.fund(chain.accounts.user.address, 10_000n * ONE_CREDIT_WEI)
  })
  afterAll(async () => {
    await stopAgent()
    await platform?.stop()
    await chain?.stop()
    await removeEngine(join(folder, 'data'), `/run/rackfair-${loadConfig(file).instance}`)
  })

  const cli = (args: string[], options: CliOptions = { providerKey }) =>
    runCli([...args, '--config', file, '--json', '--yes'], options)
  const gas = async (to: `0x${string}`) => {
    const writer = createWalletClient({ account: chain.accounts.faucet, transport: http(chain.rpcUrl) })
    await buyer.client.waitForTransactionReceipt({
      hash: await writer.sendTransaction({ to, value: parseEther('2'), chain: null }),
    })
  }
  const sentBy = (address: `0x${string}`) => buyer.client.getTransactionCount({ address })
  const node = (id: bigint) => getNode(buyer.client, buyer.addresses, provider, id)
  const stopAgent = async () => {
    const last = agent
    agent = undefined
    if (!last || last.exitCode !== null) return
    const ended = new Promise((resolve) => last.once('exit', resolve))
    last.kill('SIGTERM')
    await ended
  }
  const initArgs = () => [
    ...['init', '--rpc', chain.rpcUrl, '--platform', platform.url, '--deployment', platform.deployment],
    ...['--gateway-port', String(gatewayPort), '--image-cache', IMAGE_CACHE, '--name', 'helios', '--pledge', '10'],
  ]
  const api = () => createApi({ baseUrl: platform.url })
  const isOnline = async (address: string) =>
    (
      await api()
        .provider(address)
        .catch(() => undefined)
    )?.nodes.map((one) => one.online) ?? []

  it('explains in a sentence what is missing before it sends anything', async () => {
    const noChain = await cli(['init', '--rpc', `http://127.0.0.1:${await freePort()}`, '--platform', platform.url])
    expect(noChain).toMatchObject({ code: 1, json: { error: { code: 'chain_unreachable' } } })
    const noKey = await cli(initArgs(), {})
    expect(noKey.json.error.message).toContain('--provider 0x…, or its key in RACKFAIR_PROVIDER_KEY')
    const badKey = await cli(initArgs(), { providerKey: '0x1234' })
    expect(badKey.json.error.message).toBe('RACKFAIR_PROVIDER_KEY holds no private key (0x and 64 hex digits)')
    expect((await cli(initArgs())).json.error).toMatchObject({
      code: 'insufficient_credit',
      message: expect.stringContaining('10 Credit'),
    })
    await buyer.fund(provider, 100n * ONE_CREDIT_WEI)
    expect((await cli(initArgs())).json.error).toMatchObject({
      code: 'insufficient_gas',
      message: expect.stringContaining(provider),
    })
    const people = await runCli([...initArgs(), '--config', file, '--yes'], { providerKey })
    expect(people.stderr).toMatch(/^rackfair-agent: .* \(insufficient_gas\)\n$/)
    expect(await sentBy(provider)).toBe(0)
  })

  it('goes Online with a single command', async () => {
    await gas(provider)
    agent = startCli([...initArgs(), '--config', file, '--json', '--yes', '--start'], { providerKey })
    await expect.poll(() => isOnline(provider), { interval: 200 }).toEqual([true, true])
    await stopAgent()
  })

  it('sends nothing the second time', async () => {
    const before = await sentBy(provider)
    const again = await cli(initArgs())
    expect(again).toMatchObject({ code: 0, json: { done: [], open: [] } })
    expect((await cli(['register', '--pledge', '10'])).json).toEqual({ done: [], open: [] })
    expect(await sentBy(provider)).toBe(before)
  })

  it('registers another name once, and prints what an external wallet has to send', async () => {
    const elsewhere = await cli(['register', '--name', 'selene', '--pledge', '12'], {})
    expect(elsewhere.json.open.map((step) => step.title)).toEqual([
      expect.stringContaining('change the provider to selene'),
      'allow the pledge to take 2 Credit',
      'pledge 2 Credit',
    ])
    expect(elsewhere.json.open[0]).toMatchObject({ data: expect.stringMatching(/^0x/), costWei: expect.stringMatching(/^\d+$/) })
    const strange = await cli(['register'], { providerKey: generatePrivateKey() })
    expect(strange.json.error.message).toMatch(
      /^RACKFAIR_PROVIDER_KEY is the key of 0x.*, but the provider of this configuration is 0x/,
    )
    expect((await cli(['register', '--name', 'selene', '--pledge', '12'])).json.done).toHaveLength(3)
    expect((await cli(['register', '--name', 'selene', '--pledge', '12'])).json.done).toEqual([])
    expect((await cli(['unpledge', '11.5'])).json.error.code).toBe('PledgeTooLow')
  })

  it('adds, edits and drains a node, each once', async () => {
    const add = 'node add --cpus 1 --cores 1 --cpu-price 43 --memory 1 --disk 4 --cpu-model'.split(' ').concat('Xeon Silver 4316')
    // init already offers the whole machine.
    const beyond = await cli(add)
    expect(beyond.json.error).toMatchObject({
      code: 'node_oversold',
      message: expect.stringMatching(/more than this machine has: .* of .*nothing was sent/),
    })
    expect((await cli(['node', 'edit', '1', '--memory', '4096'])).json.error.code).toBe('node_oversold')
    expect(loadConfig(file).oversell).toBe(false)
    expect((await cli([...add, '--oversell'])).json.done).toHaveLength(1)
    expect(loadConfig(file).oversell).toBe(true)
    expect(await cli(add)).toMatchObject({
      json: { done: [] },
      stderr: expect.stringContaining('node 3 is just like it; --another'),
    })
    expect(await node(3n)).toMatchObject({ cpuModel: 'Xeon Silver 4316', pCPU: 43n * ONE_CREDIT_WEI, nDISK: 4 })
    expect((await cli(['node', 'edit', '3', '--cpu-price', '45'])).json.done).toHaveLength(1)
    expect((await cli(['node', 'edit', '3', '--cpu-price', '45'])).json.done).toEqual([])
    expect((await node(3n)).pCPU).toBe(45n * ONE_CREDIT_WEI)
    expect((await cli(['node', 'drain', '3'], {})).json.done).toHaveLength(1)
    expect((await cli(['node', 'drain', '3'], {})).json.done).toEqual([])
    expect((await node(3n)).online).toBe(false)
    expect((await cli(['node', 'drain', '3', '--undo'], {})).json.done).toHaveLength(1)
    expect((await node(3n)).minTerm).toBe(3_600)
    expect((await cli(['node', 'term', '3', '1d'], {})).json.done).toHaveLength(1)
    expect((await cli(['node', 'term', '3', '24h'], {})).json.done).toEqual([])
    expect((await node(3n)).minTerm).toBe(86_400)
    const wrong = async (...args: string[]) => (await cli(args)).json.error.message as string
    for (const time of ['59min', '7mo', 'a while'])
      expect(await wrong('node', 'term', '3', time)).toBe(
        `${time} is not a time from an hour to six months, such as 2h, 3 days or 1 month`,
      )
    const small = ['node', 'add', '--cpus', '1', '--cores', '1', '--cpu-price', '1']
    expect(await wrong(...small)).toContain('--memory how many GB')
    expect(await wrong(...small, '--memory', '1')).toContain('--disk how many GB')
    expect(await wrong('node', 'edit', '3', '--memory', '0')).toContain('--memory how many GB')
    expect((await cli([...small, '--memory', '1', '--disk', '1'])).json.done).toHaveLength(1)
    expect((await cli(['node', 'remove', '4'], {})).json.open).toMatchObject([{ title: 'remove node 4' }])
    expect((await cli(['node', 'remove', '4'])).json.done).toHaveLength(1)
    expect(await wrong('node', 'remove', '4')).toBe('there is no node 4')
    expect(await wrong('node', 'edit', '99', '--cpus', '1')).toBe('there is no node 99')
    expect(await wrong('node', 'drain', 'x')).toBe('x is not the number of a node')
    expect(await wrong('node', 'add', '--cpus', '1', '--cores', '1', '--memory', '1', '--disk', '1')).toBe(
      'add a node: a node needs a price: --cpu-price, --gpu-price, --memory-price or --disk-price; nothing was sent',
    )
    expect(await wrong('node', 'edit', '3', '--cpu-price', '1.0000000001')).toContain('at most 9 decimals')
  })

  it('prepares the images of the catalogue', async () => {
    const synced = await cli(['images', 'sync', 'apache', 'nginx'], {})
    expect(synced.json).toEqual([
      { preset: 'apache', image: 'localhost/rackfair/apache', imageId: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { preset: 'nginx', image: 'localhost/rackfair/nginx', imageId: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect((await cli(['images', 'sync', 'apache', 'nginx'], {})).json).toEqual(synced.json)
    expect((await cli(['images', 'sync', 'doom'], {})).json.error.message).toContain('the catalogue has no doom')
  })

  it('shows what runs and its output', async () => {
    orderId = await buyer.buy(provider, 3n)
    await api().provider(provider, { minBlock: await buyer.client.getBlockNumber() })
    agent = startCli(['start', '--config', file], {})
    await expect.poll(() => isOnline(provider), { interval: 200 }).toEqual([true, true, true])
    const request = await buyer.sign({ orderId, deployId: APACHE, provider })
    const { id } = await api().deploy(request as never)
    await expect.poll(async () => (await api().deployment(id)).phase).toBe('Running')
    // It answers a moment before it says so.
    const logged = async () => (await cli(['logs', String(orderId)], {})).json.stdout
    await expect.poll(logged, { interval: 200 }).toContain('resuming normal operations')
    expect((await cli(['logs', '4711'], {})).json.error.message).toBe('order 4711 has no container on this machine')
    await expect.poll(async () => (await cli(['status'], {})).json.nodes[2]?.standing).toBe('active')
    expect((await cli(['status'], {})).json).toMatchObject({
      running: true,
      nodes: [{ node: 1 }, { node: 2 }, { node: 3, online: true, order: String(orderId) }],
      deployments: [{ orderId: String(orderId), preset: APACHE, phase: 'Running' }],
    })
    expect((await cli(['node', 'edit', '3', '--cpu-price', '46'])).json.error).toMatchObject({ code: 'NodeSold' })
  })

  it('keeps a hot key that cannot move money, even if stolen', async () => {
    const thief = loadOperatorKey(loadConfig(file).operatorKeyFile)
    const { addresses, client } = buyer
    const said = { name: 'thief', ip: '192.0.2.1', domain: '', port: 1 }
    const calls = [
      contractCall(addresses, 'market', 'proWithdraw', []),
      contractCall(addresses, 'market', 'proWithdrawTo', [thief.address]),
      contractCall(addresses, 'market', 'providerCancel', [orderId]),
      contractCall(addresses, 'market', 'userCancel', [orderId]),
      unpledgeCall(addresses, ONE_CREDIT_WEI),
      withdrawInterestCall(addresses),
      setOperatorCall(addresses, thief.address),
      contractCall(addresses, 'registry', 'updatecp', [said]),
      removeNodeCall(addresses, 1n),
      contractCall(addresses, 'credit', 'transferFrom', [provider, thief.address, 1n]),
    ]
    const writer = createWalletClient({ account: thief, transport: http(chain.rpcUrl) })
    for (const call of calls) await expect(sendCall(client, writer, call), call.functionName).rejects.toHaveProperty('code')
  })

  it('settles and withdraws earnings, even from a replaced Market, and sends nothing without earnings', async () => {
    expect((await cli(['withdraw'])).json).toMatchObject({ done: [], open: [] })
    const control = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
    await control.increaseTime({ seconds: THREE_DAYS })
    await control.mine({ blocks: 1 })
    const before = (await getBalances(buyer.client, buyer.addresses, provider)).creditWei
    expect((await cli(['withdraw'], {})).json.open).toMatchObject([{ title: `settle order ${orderId}` }])
    const paid = await cli(['withdraw'])
    expect(paid.json.done.map((one) => one.title)).toEqual([
      `settle order ${orderId}`,
      expect.stringMatching(/^withdraw [\d.]+ Credit$/),
    ])
    const after = (await getBalances(buyer.client, buyer.addresses, provider)).creditWei
    expect(after - before).toBe(BigInt(paid.json.withdrawnWei))
    // Two of three days are final; the node costs 45 USD a month.
    expect(after - before).toBeGreaterThanOrEqual((45n * ONE_CREDIT_WEI * 2n) / 30n)
    expect(after - before).toBeLessThan((46n * ONE_CREDIT_WEI * 2n) / 30n)
    expect((await cli(['withdraw', '--to', 'home'])).json.error.message).toBe('--to is not an address')

    await publishMarket({ rpcUrl: chain.rpcUrl, access: chain.deployment.access })
    await control.increaseTime({ seconds: DAY })
    await control.mine({ blocks: 1 })
    const cold = privateKeyToAccount(generatePrivateKey()).address
    const late = await cli(['withdraw', '--to', cold])
    expect(late.json.done).toHaveLength(2)
    expect((await getBalances(buyer.client, buyer.addresses, cold)).creditWei).toBe(BigInt(late.json.withdrawnWei))
    expect(BigInt(late.json.withdrawnWei)).toBeGreaterThan(ONE_CREDIT_WEI)
  })

  it('withdraws pledge and interest, except for what has to stay', async () => {
    const refused = async (amount: string) => (await cli(['unpledge', amount])).json.error.code
    expect([await refused('ten'), await refused('0'), await refused('4000')]).toEqual([
      ...['bad_request', 'bad_request', 'InsufficientPledge'],
    ])
    // One day of the order at 45 USD a month.
    const { error } = (await cli(['unpledge', '10.51'])).json
    expect(error).toMatchObject({
      code: 'InsufficientPledge',
      message: expect.stringContaining('10.5 USD are free; 1.5 are locked'),
    })
    const pledgedWei = String(10n * ONE_CREDIT_WEI)
    expect((await cli(['unpledge', '2'])).json).toMatchObject({ done: [{}], pledgedWei, lockedWei: String(15n * 10n ** 17n) })
    expect((await cli(['interest'])).json).toMatchObject({ interestWei: expect.stringMatching(/^\d+$/), done: [] })
    const { interestWei, done } = (await cli(['interest', '--withdraw'])).json
    expect(done).toHaveLength(interestWei === '0' ? 0 : 1)
    expect((await cli(['node', 'remove', '3'])).json.error.code).toBe('NodeSold')
    await stopAgent()
    const { stdout } = await runCli(['status', '--config', file])
    expect(stdout).toContain('node 1: listed, but Offline: the agent is not running')
    expect(stdout).not.toContain('on the market')
  })

  it('installs itself once as a service under a root folder, and not without permission', async () => {
    const root = join(folder, 'root')
    mkdirSync(root, { mode: 0o755 })
    const first = await cli(['service', 'install', '--root', root], {})
    expect(first.json).toMatchObject({ installed: true, changed: true })
    const unit = readFileSync(first.json.file, 'utf8')
    expect(unit).toContain(`start --config ${file} --data ${join(folder, 'data')}`)
    expect(unit).toContain('KillMode=process')
    expect((await cli(['service', 'install', '--root', root], {})).json).toMatchObject({ installed: true, changed: false })
    const open = mkdtempSync(join(tmpdir(), 'rackfair-open-'))
    chmodSync(open, 0o755)
    cpSync(file, join(open, 'agent.json'))
    chmodSync(join(open, 'agent.json'), 0o644)
    const denied = await runCli(['service', 'install', '--root', open, '--config', join(open, 'agent.json'), '--json'], {
      uid: NOBODY,
    })
    expect(denied.json.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('run this as root') })
    rmSync(open, { recursive: true })
  })

  it('uninstalls without a trace of its tenants, and not during an order unless forced', async () => {
    const root = join(folder, 'root')
    const { instance, operatorKeyFile } = loadConfig(file)
    expect(existsSync(join(folder, 'data', 'volumes', String(orderId)))).toBe(true)
    const refused = await cli(['service', 'uninstall', '--root', root], {})
    expect(refused.json.error).toMatchObject({ code: 'NodeSold', message: expect.stringContaining(`orders ${orderId} run`) })
    const gone = await cli(['service', 'uninstall', '--root', root, '--force'], {})
    expect(gone).toMatchObject({ code: 0, json: { uninstalled: true } })
    expect(existsSync(gone.json.file)).toBe(false)
    expect(readdirSync(join(folder, 'data')).filter((name) => !/^(agent|evidence)\.sqlite/.test(name))).toEqual([])
    expect(existsSync(operatorKeyFile)).toBe(true)
    const left = await Promise.all([
      runCommand('nft', ['list', 'tables']),
      runCommand('ip', ['-o', 'link']),
      runCommand('losetup', ['-a']),
      runCommand('ps', ['-eo', 'args']),
    ])
    for (const { stdout } of left) for (const trace of [instance, join(folder, 'data')]) expect(stdout).not.toContain(trace)
  })

  it('is set up by a configuration file alone, on the chain that it names', async () => {
    const otherKey = generatePrivateKey()
    const other = privateKeyToAccount(otherKey).address
    await buyer.fund(other, 100n * ONE_CREDIT_WEI)
    await gas(other)
    const written = join(folder, 'second', 'agent.json')
    mkdirSync(join(folder, 'second'))
    const draft = {
      ...{ chainId: chain.chainId, rpcUrl: chain.rpcUrl, access: chain.deployment.access, platforms: [platform.url] },
      gateway: { port: await freePort(), publicHost: '192.0.2.7', domain: 'second.example' },
    }
    writeFileSync(written, JSON.stringify(draft))
    const run = () => runCli(['init', '--config', written, '--json', '--yes'], { providerKey: otherKey })
    expect((await run()).json.done.length).toBeGreaterThan(4)
    expect(loadConfig(written)).toMatchObject({
      ...draft,
      access: chain.deployment.access.toLowerCase(),
      provider: other.toLowerCase(),
    })
    expect((await run()).json.done).toEqual([])
    const listed = async () =>
      api()
        .provider(other)
        .catch(() => undefined)
    await expect.poll(async () => (await listed())?.domain).toBe('second.example')
    writeFileSync(written, JSON.stringify({ ...draft, chainId: 985 }))
    expect((await run()).json.error).toMatchObject({ code: 'wrong_chain', message: expect.stringContaining('is for 985') })
    const lying = join(folder, 'lying.json')
    saveConfig(lying, { ...loadConfig(file), chainId: 985 })
    expect((await runCli(['status', '--config', lying, '--json'])).json.error.code).toBe('wrong_chain')
    writeFileSync(written, JSON.stringify({ ...draft, gatewayPort: 1 }))
    expect((await run()).json.error.message).toContain('gatewayPort')
  })
})
