import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Chain, developmentAccounts, startPostgres, whyItRests, whyNoPostgres } from '@rackfair/testkit'
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
const UNIT = 'rackfair-agent.service'
/** In a checkout: its own Node. */
const NODE = '.rackfair/toolchain/node_modules/node/bin/node'
const LONG = { timeout: 240_000, interval: 500 }
const providers = guideCommands('providers')
const operators = guideCommands('operators')
const monitors = guideCommands('monitors')
const reason = whyNoMachines() ?? whyNoCleanMachine() ?? whyNoPackages() ?? whyItRests('guides')

/**
 * The guides from scratch on a Debian with only git, Node and npm: the platform, its chain and nginx in one network namespace, the provider
 * and a monitor in another, with the addresses and file names of the guides. Named differently here: the RPC, the repository, the accounts,
 * the files of the deployment, the order number.
 */
describe.skipIf(reason)(`the guides, followed on a clean system (${reason ?? 'here'})`, { timeout: 900_000 }, () => {
  const [owner, provider, user] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()]
  const addressOf = (key: `0x${string}`) => privateKeyToAccount(key).address
  const mine = { RACKFAIR_PROVIDER_KEY: provider }
  let machines: GuideMachines
  let deployment = ''
  let access = ''
  let database = 'postgres://none'
  let orderId = 0n
  /** State of the machine after installing the package, before any of its commands was run. */
  let installed: string[] = []
  let buyer: Awaited<ReturnType<typeof createTestBuyer>>
  const of = (words: string) => providers.find((line) => line.startsWith(`rackfair-agent ${words}`)) as string
  const names = () => ({
    '0xYourWallet': addressOf(provider),
    '0xColdWallet': addressOf(user),
    'logs 12': `logs ${orderId}`,
    'RACKFAIR_DEPLOYER_KEY=0x…': `RACKFAIR_DEPLOYER_KEY=${owner}`,
    '0x…': access,
    'contracts/deployments/985.json': deployment,
    '985.json': deployment,
    'postgres://rackfair@db.example/rackfair': database,
  })
  const isOnline = () =>
    (machines.ask(`/v1/cp/${addressOf(provider)}`) as { nodes?: { online: boolean }[] }).nodes?.map((one) => one.online)

  /** Status of a unit, from systemd. */
  const shownOf = async (unit: string, ...properties: string[]) => {
    const lines = (await machines.runs(`systemctl show ${unit} --property=${properties}`)).trim().split('\n')
    return properties.map((name) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1))
  }
  const shown = (...properties: string[]) => shownOf(UNIT, ...properties)
  /** Starts a unit where it expects its programs, until `use` has ended. */
  const inOpt = async (unit: string, use: () => Promise<void>) => {
    const { runs, checkout } = machines
    try {
      await runs(`cp -al ${checkout} /opt/rackfair`)
      await runs(`mv /usr/bin/node /opt/node && ln -s /opt/rackfair/${NODE} /usr/bin/node`)
      await runs(`systemctl enable ${unit} && systemctl start ${unit}`)
      await use()
    } finally {
      await runs(`systemctl disable --now ${unit}; rm -rf /opt/rackfair; mv -f /opt/node /usr/bin/node`)
    }
  }
  /** The process of a unit: it has no privileges, cannot gain any, and runs as a user that exists only for the unit. */
  const isWalled = async (unit: string) => {
    const [process = ''] = await shownOf(unit, 'MainPID')
    const status = await machines.runs(`grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/${process}/status`)
    expect(status.replaceAll('\t', ' ')).toMatch(
      /^Uid: ([1-9]\d*) \1 \1 \1\nCapEff: 0+\nCapBnd: 0+\nNoNewPrivs: 1\nSeccomp: 2\n$/,
    )
    return process
  }
  const isObserving = async () => expect((await fetch('http://127.0.0.1:7080/healthz')).status).toBe(200)

  beforeAll(async () => {
    machines = await startGuideMachines(CHAIN, names)
    deployment = `${machines.folder}/985.json`
    await machines.fund([owner, provider, user].map(addressOf))
  }, 300_000)
  afterAll(() => machines?.close(), 600_000)

  it('install the software from scratch', async () => {
    const [clone = '', enter = '', build = '', update = '', install = ''] = providers
    const cloned = await machines.run([clone, enter], { cwd: '/root' })
    expect(cloned.code, cloned.output).toBe(0)
    for (const line of [build, update, install]) await machines.runs(line)
    installed = machines.traces()
    expect((await machines.runs('rackfair-agent --version')).trim()).toBe('0.1.0')
  })

  it('build the web app and the guides', async () => {
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

  it('deploy the contracts on a separate chain', async () => {
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
    const contracts = JSON.parse(readFileSync(out, 'utf8'))
    access = contracts.access
    await giveCredit(machines.rpcUrl, contracts, [addressOf(provider), addressOf(user)])
  })

  it('start the platform behind nginx with TLS', async () => {
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

  it('bring a provider Online that knows only the platform’s address', async () => {
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
    expect(await runs(of('images sync')), folder).toMatch(/nginx: [0-9a-f]{64}/)
    expect(await run(['rackfair-agent images sync minio'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('no image of minio: orders with it will fail here'),
    })
    await run(['rackfair-agent doctor'])
    expect(await runs('rackfair-agent self-test')).toContain('This machine runs orders.')
    const agent = machines.background('rackfair-agent start', 'provider')
    await vi.waitFor(() => expect(isOnline()?.[0]).toBe(true), LONG)
    await machines.end(agent)
  })

  it('start the agent under systemd from then on', async () => {
    const { runs } = machines
    // This market's certificate is not signed by a public CA.
    const environment = `NODE_EXTRA_CA_CERTS=${machines.certificate} RACKFAIR_FASTER=10`
    await runs(
      `mkdir -p /run/systemd/system/${UNIT}.d && printf '[Service]\nEnvironment=%s\n' '${environment}' >/run/systemd/system/${UNIT}.d/test.conf`,
    )
    expect(await runs('rackfair-agent service install')).toContain('Installed and started.')
    expect(await runs('rackfair-agent service install')).toContain('is installed already')
    expect(await shown('ActiveState', 'UnitFileState')).toEqual(['active', 'enabled'])
    await vi.waitFor(() => expect(isOnline()?.[0]).toBe(true), LONG)
    const [, capabilities, privileges] = await shown('MainPID', 'CapabilityBoundingSet', 'NoNewPrivileges')
    expect(privileges).toBe('yes')
    expect(capabilities).toContain('cap_sys_admin')
    expect(capabilities).not.toMatch(/cap_sys_(time|boot)/)
  })

  it('run an order', async () => {
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
    // The platform does not know the order before it has indexed its block.
    const { id } = await vi.waitFor(() => {
      const answer = ask('/v1/deployments', text)
      expect(answer).toMatchObject({ id: expect.any(String) })
      return answer as { id: string }
    }, LONG)
    await vi.waitFor(() => expect(ask(`/v1/deployments/${id}`)).toMatchObject({ phase: 'Running' }), LONG)
    expect(await runs('rackfair-agent status')).toContain(`order ${orderId}`)
    await runs(of('logs'))
  })

  it('restart the agent when it is killed, while the order keeps running', async () => {
    const { runs } = machines
    const before = machines.containers()
    expect(before).toHaveLength(1)
    const [killed] = await shown('MainPID')
    await runs(`kill -KILL ${killed}`)
    await vi.waitFor(async () => expect(await shown('ActiveState', 'NRestarts')).toEqual(['active', '1']), LONG)
    await vi.waitFor(async () => expect(await runs('rackfair-agent status')).toContain(`order ${orderId}: preset`), LONG)
    expect(machines.containers(), 'the same processes').toEqual(before)
  })

  it('upgrade the agent by both guides while the order keeps running', async () => {
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
    const [old] = await shown('MainPID')
    for (const line of upgradeOf(providers, 3)) await runs(line)
    expect((await runs('rackfair-agent --version')).trim()).toBe('0.2.0')
    const [active, upgraded] = await shown('ActiveState', 'MainPID')
    expect(active).toBe('active')
    expect(upgraded).not.toBe(old)
    await vi.waitFor(() => expect(isOnline()?.[0]).toBe(true), LONG)
    await vi.waitFor(async () => expect(await runs('rackfair-agent status')).toContain(`order ${orderId}: preset`), LONG)
    expect(machines.containers(), 'the same processes').toEqual(before)
    const { code, output } = await run(upgradeOf(operators, 4))
    expect(code, output).toBe(0)
    expect(output).toMatch(/Already up to date|Done in/)
  })

  it('run every listed command', async () => {
    const { run, runs } = machines
    await vi.waitFor(async () => {
      const { code, output } = await run([of('node remove')], { env: mine })
      expect(code, output).toBe(1)
    }, LONG)
    await buyer.cancel(orderId, privateKeyToAccount(user))
    await runs(of('node term'))
    await vi.waitFor(async () => expect((await run([of('node remove')], { env: mine })).code).toBe(0), LONG)
    for (const words of ['unpledge', 'interest', 'withdraw']) await runs(of(words), mine)
  })

  it.skipIf(whyNoPostgres())('run several processes on PostgreSQL', async () => {
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

  it('install the platform where its unit expects it', async () => {
    const first = operators.findIndex((line) => line.startsWith('useradd '))
    const lines = operators.slice(first, operators.indexOf('systemctl daemon-reload') + 1)
    expect(lines).toHaveLength(7)
    const { code, output } = await machines.run(lines)
    expect(code, output).toBe(0)
    for (const file of ['rackfair/deployment.json', 'rackfair/platform-all.conf', 'systemd/system/rackfair-platform@.service'])
      expect(existsSync(join(machines.root, 'etc', file)), file).toBe(true)
  })

  it.skipIf(whyNoPostgres())('run the platform under systemd as its unit says, and restart it when it is killed', async () => {
    const { runs, root } = machines
    const unit = 'rackfair-platform@all.service'
    const isReady = () => vi.waitFor(async () => expect((await fetch('http://127.0.0.1:3000/readyz')).status).toBe(200), LONG)
    const postgres = await startPostgres()
    try {
      writeFileSync(join(root, 'etc/rackfair/database-url'), await postgres.createDatabase())
      const options = join(root, 'etc/rackfair/platform-all.conf')
      writeFileSync(options, readFileSync(options, 'utf8').replace('https://rpc.example', machines.rpcUrl))
      await inOpt(unit, async () => {
        await isReady()
        const process = await isWalled(unit)
        await runs(`kill -KILL ${process}`)
        await vi.waitFor(async () => expect(await shownOf(unit, 'ActiveState', 'NRestarts')).toEqual(['active', '1']), LONG)
        await isReady()
      })
    } finally {
      await postgres.stop()
    }
  })

  it('observe the provider with a monitor', async () => {
    const { run, runs, root, checkout } = machines
    const [key = '', address = '', bond = '', start = ''] = monitors
    await run([key])
    expect(statSync(join(root, checkout, 'monitor.key')).mode & 0o777).toBe(0o600)
    const account = (await runs(address)).trim() as `0x${string}`
    expect(account).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect((await run([bond])).output, 'without a bond').toMatch(/1,?000/)
    await machines.fund([account])
    await giveCredit(machines.rpcUrl, JSON.parse(readFileSync(deployment, 'utf8')), [account])
    await runs(bond)
    const monitor = machines.background(start, 'provider')
    await vi.waitFor(isObserving, LONG)
    await machines.end(monitor)
  })

  it('observe the provider with a monitor under systemd, which restarts when it is killed', async () => {
    const { run, runs, root } = machines
    const first = monitors.findIndex((line) => line.startsWith('install -d'))
    const install = monitors.slice(first, monitors.indexOf('systemctl daemon-reload') + 1)
    expect(install).toHaveLength(5)
    const installed = await run(install)
    expect(installed.code, installed.output).toBe(0)
    const options = join(root, 'etc/rackfair/monitor.conf')
    const written = readFileSync(options, 'utf8').replace('https://rpc.example', machines.rpcUrl)
    writeFileSync(options, written.replace(/0x0{40}/, access))
    const unit = 'rackfair-monitor.service'
    await inOpt(unit, async () => {
      await vi.waitFor(isObserving, LONG)
      const process = await isWalled(unit)
      expect(statSync(join(root, 'var/lib/private/rackfair-monitor')).mode & 0o777).toBe(0o700)
      await runs(`kill -KILL ${process}`)
      await vi.waitFor(async () => expect(await shownOf(unit, 'ActiveState', 'NRestarts')).toEqual(['active', '1']), LONG)
      await vi.waitFor(isObserving, LONG)
    })
    const [claim = '', resign = '', withdraw = ''] = monitors.slice(first + install.length)
    expect((await run([claim])).output, 'before its first period is over').toContain('nothing is left to take')
    await runs(resign)
    const early = await run([withdraw])
    expect(early.code, early.output).not.toBe(0)
    expect(early.output, 'before its 14 days are over').toContain('the bond can be taken back from 20')
    // What the operator of a monitor removes by hand.
    await runs(
      'rm -r /var/lib/monitor /var/lib/private/rackfair-monitor /var/cache/private/rackfair-monitor /etc/rackfair/monitor.*',
    )
    await runs(`rm /var/lib/rackfair-monitor /etc/systemd/system/${unit}`)
  })

  it('remove the agent again', async () => {
    const { runs, root } = machines
    await runs(`systemctl stop ${UNIT}`)
    expect(await runs('rackfair-agent halt')).toMatch(/Nothing was running any more|stopped\. The data is left/)
    await runs(`systemctl start ${UNIT}`)
    await runs('apt-get remove -y rackfair-agent')
    expect(await shown('LoadState', 'ActiveState')).toEqual(['not-found', 'inactive'])
    expect(machines.containers()).toEqual([])
    for (const file of ['usr/bin/rackfair-agent', 'usr/lib/rackfair-agent'])
      expect(existsSync(join(root, file)), file).toBe(false)
    const left = readdirSync(join(root, 'etc/rackfair/data')).filter((name) => !/^(agent|evidence)\.sqlite/.test(name))
    expect(left).toEqual([])
  })

  it('leave nothing on the machine once it is purged', async () => {
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

  it('cover every documented command', () => {
    // Database commands of a platform are run in apps/docs/src/operators.test.ts, conformance of a cluster in runtime/acceptance, and the
    // preparation of an agent behind an edge in commands/init.test.ts.
    const elsewhere = /^(pg_dump|pg_restore|psql|sqlite3) |^rackfair-agent conformance$|^rackfair-agent init .*--edge /
    const left = [...providers, ...operators, ...monitors].filter(
      (line) => !machines.done.includes(line) && !elsewhere.test(line),
    )
    expect(left).toEqual([])
  })
})
