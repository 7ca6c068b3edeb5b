import { type ChildProcess, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Chain, developmentAccounts, startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { whyNoCleanMachine } from './testing/cleanMachine.ts'
import { giveCredit } from './testing/giveCredit.ts'
import { type GuideMachines, startGuideMachines } from './testing/guideMachines.ts'
import { guideBlocks, guideCommands } from './testing/guideText.ts'
import { whyNoPackages } from './testing/packageMirror.ts'
import { IMAGE_CACHE } from './testing/setupAgent.ts'
import { createTestBuyer } from './testing/testBuyer.ts'
import { whyNoMachines } from './testing/whyNoMachines.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CHAIN = 1985
const NGINX = 2
const LONG = { timeout: 240_000, interval: 500 }
const providers = guideCommands('providers')
const operators = guideCommands('operators')
const reason = whyNoMachines() ?? whyNoCleanMachine() ?? whyNoPackages()

/**
 * Both guides from nothing on a Debian that holds git, Node and npm alone: the platform, its chain and nginx in one network namespace, the
 * provider in another, with the addresses and file names of the guides. What has another name here: the RPC, the repository, the accounts,
 * the files of the deployment, the number of an order.
 */
describe.skipIf(reason)(`the guides as written, on a clean system (${reason ?? 'here'})`, { timeout: 900_000 }, () => {
  const [owner, provider, user] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()]
  const addressOf = (key: `0x${string}`) => privateKeyToAccount(key).address
  const mine = { RACKFAIR_PROVIDER_KEY: provider }
  let machines: GuideMachines
  let agent: ChildProcess | undefined
  let deployment = ''
  let database = 'postgres://none'
  let orderId = 0n
  /** What the machine had on it once the package was installed, before any command of it was run. */
  let installed: string[] = []
  let buyer: Awaited<ReturnType<typeof createTestBuyer>>
  const of = (words: string) => providers.find((line) => line.startsWith(`rackfair-agent ${words}`)) as string
  const names = () => ({
    '0xYourWallet': addressOf(provider),
    '0xColdWallet': addressOf(user),
    'logs 12': `logs ${orderId}`,
    'RACKFAIR_DEPLOYER_KEY=0x…': `RACKFAIR_DEPLOYER_KEY=${owner}`,
    'contracts/deployments/985.json': deployment,
    '985.json': deployment,
    'postgres://rackfair@db.example/rackfair': database,
  })
  const isOnline = () =>
    (machines.ask(`/v1/cp/${addressOf(provider)}`) as { nodes?: { online: boolean }[] }).nodes?.map((one) => one.online)

  beforeAll(async () => {
    machines = await startGuideMachines(CHAIN, names)
    deployment = `${machines.folder}/985.json`
    await machines.fund([owner, provider, user].map(addressOf))
  }, 300_000)
  afterAll(() => machines?.close(), 600_000)

  it('installs the software from nothing', async () => {
    const [clone = '', enter = '', build = '', update = '', install = ''] = providers
    const cloned = await machines.run([clone, enter], { cwd: '/root' })
    expect(cloned.code, cloned.output).toBe(0)
    for (const line of [build, update, install]) await machines.runs(line)
    installed = machines.traces()
    expect((await machines.runs('rackfair-agent --version')).trim()).toBe('0.1.0')
  })

  it('builds the web app and the guides', async () => {
    const build = operators.slice(
      operators.indexOf('pnpm install --frozen-lockfile'),
      operators.findIndex((line) => line.includes('--trust-proxies')),
    )
    expect(build).toHaveLength(3)
    const { code, output } = await machines.run(build)
    expect(code, output).toBe(0)
    for (const page of ['index.html', 'docs/index.html', 'docs/zh/operators/index.html'])
      expect(existsSync(join(machines.root, 'srv/rackfair/web', page)), page).toBe(true)
  })

  it('deploys the contracts on a chain of its own', async () => {
    const roles = Object.fromEntries(['guardian', 'rewarder', 'treasury'].map((role) => [role, addressOf(generatePrivateKey())]))
    const example = JSON.parse(readFileSync(join(ROOT, 'contracts/script/config/2985.json'), 'utf8')) as object
    writeFileSync(deployment, JSON.stringify({ ...example, ...roles, chainId: CHAIN, owner: addressOf(owner), mint: [] }))
    const [key = '', dry = '', broadcast = ''] = operators.filter((line) => /DEPLOYER_KEY|deploy\.ts/.test(line))
    const tried = await machines.run([key, dry], { where: 'market' })
    expect(tried, tried.output).toMatchObject({ code: 0, output: expect.stringContaining('nothing was sent') })
    const out = `${machines.folder}/deployment.json`
    const sent = await machines.run([key, broadcast], { where: 'market', as: `${broadcast} --out ${out}` })
    expect(sent, sent.output).toMatchObject({ code: 0, output: expect.stringContaining('deployed and verified') })
    cpSync(out, deployment)
    await giveCredit(machines.rpcUrl, JSON.parse(readFileSync(out, 'utf8')), [addressOf(provider), addressOf(user)])
  })

  it('starts the platform behind nginx with TLS', async () => {
    const { folder, certificate, root } = machines
    mkdirSync(join(root, 'etc/rackfair'), { recursive: true })
    writeFileSync(join(root, 'etc/rackfair/site.json'), guideBlocks('operators', 'json')[0] as string)
    const [start = ''] = operators.filter((line) => line.includes('--trust-proxies'))
    machines.background(start, 'market')
    const subject = ['-subj', '/CN=market.example', '-addext', 'subjectAltName=DNS:market.example', '-days', '1', '-nodes']
    const files = ['-keyout', join(folder, 'key.pem'), '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject, ...files], {
      stdio: 'ignore',
    })
    const server = (guideBlocks('operators', 'nginx')[0] as string)
      .replace(/\S+\/fullchain\.pem/, certificate)
      .replace(/\S+\/privkey\.pem/, join(folder, 'key.pem'))
    const config = join(folder, 'nginx.conf')
    const head = `pid ${folder}/pid; error_log ${folder}/nginx.log; events {}`
    writeFileSync(config, `${head}\nhttp { access_log off;\n${server}}\n`)
    machines.besideMarket(['nginx', '-c', config, '-e', join(folder, 'nginx.log'), '-g', 'daemon off;'])
    await vi.waitFor(
      () =>
        expect(machines.ask('/v1/config')).toMatchObject({
          chainId: CHAIN,
          access: expect.any(String),
          contact: 'hello@market.example',
        }),
      LONG,
    )
  })

  it('brings a provider Online that knows the platform alone', async () => {
    const { run, runs, root, folder, replace } = machines
    const [init = '', fromFile = ''] = providers.filter((line) => line.startsWith('rackfair-agent init'))
    expect(await runs(init)).toMatch(/Access contract 0x\w+, as https:\/\/market\.example says/)
    const again = await run([init], { env: mine, as: `${init} --yes` })
    expect(again, again.output).toMatchObject({ code: 0 })
    writeFileSync(
      join(root, machines.checkout, 'agent.json'),
      replace(guideBlocks('providers', '').find((block) => block.startsWith('{')) as string),
    )
    expect(await runs(fromFile)).toContain('operator')
    const file = join(root, 'etc/rackfair/agent.json')
    const more = { imageCache: IMAGE_CACHE, overcommitDisk: true, wipeAfterSeconds: 0 }
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }))
    await run(['rackfair-agent doctor'])
    const synced = await run(['rackfair-agent images sync'])
    expect(synced.output, folder).toMatch(/nginx: [0-9a-f]{64}/)
    expect(synced, synced.output).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no image of .*stablediffusion.*: orders with them will fail here/),
    })
    expect(await runs('rackfair-agent self-test')).toContain('This machine runs orders.')
    agent = machines.background('rackfair-agent start', 'provider')
    await vi.waitFor(() => expect(isOnline()?.[0]).toBe(true), LONG)
  })

  it('runs an order', async () => {
    const { run, runs, ask } = machines
    await runs(of('register'), mine)
    const beyond = await run([of('node add')], { env: mine })
    expect(beyond, 'a node that this machine is too small for').toMatchObject({
      code: 1,
      output: expect.stringMatching(/more than this machine has/),
    })
    await runs(of('node edit'), mine)
    await runs('rackfair-agent node drain 1')
    await runs('rackfair-agent node drain 1 --undo')
    const accounts = { ...developmentAccounts(), user: privateKeyToAccount(user), faucet: privateKeyToAccount(owner) }
    const contracts = JSON.parse(readFileSync(deployment, 'utf8'))
    const chain = { rpcUrl: machines.rpcUrl, chainId: CHAIN, deployment: contracts, accounts } as unknown as Chain
    buyer = await createTestBuyer(chain)
    orderId = await buyer.buy(addressOf(provider), 1n)
    const text = await buyer.sign(
      { orderId, deployId: NGINX, provider: addressOf(provider), chainId: CHAIN },
      privateKeyToAccount(user),
    )
    // Until the platform has read the order's block, it knows of none.
    const { id } = await vi.waitFor(() => {
      const answer = ask('/v1/deployments', text)
      expect(answer).toMatchObject({ id: expect.any(String) })
      return answer as { id: string }
    }, LONG)
    await vi.waitFor(() => expect(ask(`/v1/deployments/${id}`)).toMatchObject({ phase: 'Running' }), LONG)
    expect(await runs('rackfair-agent status')).toContain(`order ${orderId}`)
    await runs(of('logs'))
  })

  it('is upgraded by both guides while the order runs on', async () => {
    const { run, runs, origin } = machines
    const manifest = join(origin, 'apps/agent/package.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "0.1.0"', '"version": "0.2.0"'))
    execFileSync('git', [
      '-C',
      origin,
      '-c',
      'user.name=guide',
      '-c',
      'user.email=guide@market.example',
      'commit',
      '-qam',
      'upgrade',
    ])
    const upgradeOf = (guide: readonly string[], lines: number) => {
      const first = guide.lastIndexOf('git pull --ff-only')
      return guide.slice(first, first + lines)
    }
    const before = machines.containers()
    expect(before).toHaveLength(1)
    for (const line of ['rackfair-agent service uninstall', 'apt-get remove -y rackfair-agent']) {
      const { code, output } = await run([line])
      expect(code, output).not.toBe(0)
      expect(output).toContain(`orders ${orderId} run on this machine`)
    }
    for (const line of upgradeOf(providers, 3)) await runs(line)
    await machines.end(agent)
    expect((await runs('rackfair-agent --version')).trim()).toBe('0.2.0')
    agent = machines.background('rackfair-agent start', 'provider')
    await vi.waitFor(() => expect(isOnline()?.[0]).toBe(true), LONG)
    await vi.waitFor(async () => expect(await runs('rackfair-agent status')).toContain(`order ${orderId}: preset`), LONG)
    expect(machines.containers(), 'the same processes').toEqual(before)
    const { code, output } = await run(upgradeOf(operators, 4))
    expect(code, output).toBe(0)
    expect(output).toMatch(/Already up to date|Done in/)
  })

  it('runs every command of the list', async () => {
    const { run, runs } = machines
    await vi.waitFor(async () => {
      const { code, output } = await run([of('node remove')], { env: mine })
      expect(code, output).toBe(1)
    }, LONG)
    await buyer.cancel(orderId, privateKeyToAccount(user))
    await vi.waitFor(async () => expect((await run([of('node remove')], { env: mine })).code).toBe(0), LONG)
    for (const words of ['unpledge', 'interest', 'withdraw']) await runs(of(words), mine)
  })

  it.skipIf(whyNoPostgres())('runs as several processes on PostgreSQL', async () => {
    const postgres = await startPostgres()
    try {
      database = await postgres.createDatabase()
      const [url = '', indexer = '', api = ''] = operators.slice(
        operators.findIndex((line) => line.startsWith('export DATABASE_URL')),
      )
      expect([indexer, api].map((line) => /--role \w+/.exec(line)?.[0])).toEqual(['--role indexer', '--role api'])
      const processes = [indexer, api].map((line) => machines.background(line, 'provider', [url]))
      await vi.waitFor(async () => expect((await fetch('http://127.0.0.1:3000/readyz')).status).toBe(200), LONG)
      const known = `http://127.0.0.1:3000/v1/cp/${addressOf(provider)}`
      await vi.waitFor(async () => expect((await (await fetch(known)).json()) as object).toMatchObject({ name: 'helios' }), LONG)
      expect(await (await fetch('http://127.0.0.1:3000/')).text()).toContain('<title>')
      for (const child of processes) await machines.end(child)
    } finally {
      await postgres.stop()
    }
  })

  it('lies where its unit finds it', async () => {
    const first = operators.findIndex((line) => line.startsWith('useradd '))
    const lines = operators.slice(first, operators.indexOf('systemctl daemon-reload'))
    expect(lines).toHaveLength(6)
    const { code, output } = await machines.run(lines)
    expect(code, output).toBe(0)
    for (const file of ['rackfair/deployment.json', 'rackfair/platform-all.conf', 'systemd/system/rackfair-platform@.service'])
      expect(existsSync(join(machines.root, 'etc', file)), file).toBe(true)
  })

  it('is taken away again', async () => {
    const { runs, root } = machines
    await machines.end(agent)
    expect(await runs('rackfair-agent halt')).toMatch(/Nothing ran any more|stopped\. The data is left/)
    await runs('apt-get remove -y rackfair-agent')
    expect(machines.containers()).toEqual([])
    for (const file of ['usr/bin/rackfair-agent', 'usr/lib/rackfair-agent'])
      expect(existsSync(join(root, file)), file).toBe(false)
    const left = readdirSync(join(root, 'etc/rackfair/data')).filter((name) => !/^(agent|evidence)\.sqlite/.test(name))
    expect(left).toEqual([])
  })

  it('leaves nothing on the machine once it is purged', async () => {
    const { runs, traces } = machines
    await runs('apt-get purge -y rackfair-agent')
    const ofOperators =
      /rackfair-platform@|^\.\/srv|^\.\/var\/lib\/rackfair(\/market\.sqlite.*)?$|^\.\/etc\/rackfair(\/[\w.-]+)?$|^rackfair:x:|^\.\/etc\/(passwd|group|shadow|gshadow)-$/
    const known = new Set(installed)
    expect(traces().filter((trace) => !known.has(trace) && !ofOperators.test(trace))).toEqual([])
    expect(
      traces().filter((trace) => /rackfair-agent|^\.\/etc\/rackfair\/(agent\.json|operator\.key|data(\/|$))/.test(trace)),
    ).toEqual([])
  })

  it('leaves no command of the guides out', () => {
    // Those on the database of a platform are run in apps/docs/src/operators.test.ts, what a cluster proves in runtime/acceptance. No systemd
    // runs on the clean machine.
    const elsewhere = /^(pg_dump|pg_restore|psql|sqlite3|systemctl) |^rackfair-agent conformance$/
    const left = [...providers, ...operators].filter((line) => !machines.done.includes(line) && !elsewhere.test(line))
    expect(left).toEqual([])
  })
})
