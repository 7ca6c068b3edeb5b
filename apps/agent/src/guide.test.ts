import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from '@rackfair/contracts/foundry'
import { type Chain, developmentAccounts } from '@rackfair/testkit'
import { createTestClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { giveCredit } from './testing/giveCredit.ts'
import { guideBlocks, guideCommands } from './testing/guideText.ts'
import { IMAGE_CACHE } from './testing/setupAgent.ts'
import { createTestBuyer } from './testing/testBuyer.ts'
import { whyNoMachines } from './testing/whyNoMachines.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CHAIN = 1985
const NGINX = 2
const LONG = { timeout: 240_000, interval: 500 }
const providers = guideCommands('providers')
const operators = guideCommands('operators')
const reason = whyNoMachines()

/**
 * Both guides on two machines, which are network namespaces: the platform, its chain and nginx are on one, the provider on the other, with
 * the addresses and file names of the guides. What has another name here: the RPC, the accounts, folders, the number of an order.
 */
describe.skipIf(reason)(`the guides as written (${reason ?? 'here'})`, { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-guide-'))
  const [owner, provider, user] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()]
  const addressOf = (key: `0x${string}`) => privateKeyToAccount(key).address
  const rpcUrl = 'http://203.0.113.1:8545'
  const certificate = join(folder, 'certificate.pem')
  const running: ChildProcess[] = []
  const done: string[] = []
  let orderId = 0n

  const replace = (line: string) =>
    Object.entries({
      'https://rpc.example': rpcUrl,
      '0xYourWallet': addressOf(provider),
      '0xColdWallet': addressOf(user),
      'logs 12': `logs ${orderId}`,
      'RACKFAIR_DEPLOYER_KEY=0x…': `RACKFAIR_DEPLOYER_KEY=${owner}`,
      'contracts/deployments/985.json': `${folder}/985.json`,
      '985.json': `${folder}/985.json`,
      '/var/lib/rackfair': `${folder}/platform`,
      '/srv/rackfair/web': `${folder}/web`,
      '/etc/rackfair/site.json': `${folder}/site.json`,
      'https://git.example/rackfair.git': `file://${folder}/origin`,
    }).reduce((text, [from, to]) => text.replace(new RegExp(`(?<![\\w/])${from}`, 'g'), () => to), line)
  const shell = (lines: readonly string[], where: 'market' | 'provider', env: Record<string, string>, cwd: string) => {
    const text = `alias rackfair-agent='${process.execPath} ${ROOT}/apps/agent/src/main.ts'\n${lines.join('\n')}`
    const command = where === 'market' ? ['ip', 'netns', 'exec', 'market', 'sh', '-ec', text] : ['sh', '-ec', text]
    const { RACKFAIR_PROVIDER_KEY: _, ...clean } = process.env
    return spawn(command[0] as string, command.slice(1), {
      cwd,
      env: { ...clean, HOME: folder, NODE_EXTRA_CA_CERTS: certificate, RACKFAIR_FASTER: '10', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  const finish = async (child: ChildProcess) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, output }
  }
  /** Runs lines of a guide one after the other in one shell, and notes them. */
  const run = async (
    lines: readonly string[],
    env: Record<string, string> = {},
    where: 'market' | 'provider' = 'provider',
    cwd = folder,
  ) => {
    done.push(...lines)
    return finish(shell(lines.map(replace), where, env, cwd))
  }
  const runs = async (line: string, env: Record<string, string> = {}) => {
    const { code, output } = await run([line], env)
    expect(code, `${line}\n${output}`).toBe(0)
    return output
  }
  const background = (line: string, where: 'market' | 'provider', cwd = ROOT) => {
    done.push(line)
    const child = shell(
      [`exec ${replace(line).replace(/^rackfair-agent/, `${process.execPath} ${ROOT}/apps/agent/src/main.ts`)}`],
      where,
      {},
      cwd,
    )
    child.stderr?.pipe(process.stderr)
    child.stdout?.resume()
    running.push(child)
    return child
  }
  const end = async (child: ChildProcess | undefined) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  const ask = (path: string, body?: object) => {
    const post = body ? ['-H', 'content-type: application/json', '-d', JSON.stringify(body)] : []
    const text = execFileSync('curl', ['-sS', '--cacert', certificate, ...post, `https://market.example${path}`], {
      encoding: 'utf8',
    })
    return JSON.parse(text) as unknown
  }
  const isOnline = () =>
    (ask(`/v1/cp/${addressOf(provider)}`) as { nodes?: { online: boolean }[] }).nodes?.map((one) => one.online)

  beforeAll(async () => {
    mkdirSync(join(folder, 'web'))
    mkdirSync(join(folder, 'etc'))
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n203.0.113.1 market.example\n')
    // Nobody answers there: what is not on this machine is missed at once.
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n')
    mkdirSync('/etc/rackfair', { recursive: true })
    sh(`
      mount --bind ${folder}/etc /etc/rackfair
      mount --bind ${folder}/hosts /etc/hosts
      mount --bind ${folder}/resolv.conf /etc/resolv.conf
      ip netns add market
      ip link add here type veth peer name there netns market
      ip address add 203.0.113.7/24 dev here
      ip link set here up
      ip -n market address add 203.0.113.1/24 dev there
      ip -n market link set there up
      ip -n market link set lo up`)
    const anvil = [
      '--host',
      '0.0.0.0',
      '--port',
      '8545',
      '--chain-id',
      String(CHAIN),
      '--block-time',
      '1',
      '--mixed-mining',
      '--quiet',
    ]
    running.push(spawn('ip', ['netns', 'exec', 'market', foundryBinary('anvil'), ...anvil], { stdio: 'ignore' }))
    const control = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    for (const key of [owner, provider, user])
      await vi.waitFor(() => control.setBalance({ address: addressOf(key), value: parseEther('100') }), LONG)
  })
  afterAll(async () => {
    for (const child of running.reverse()) await end(child)
    spawnSync('sh', ['-c', 'umount /etc/resolv.conf /etc/hosts /etc/rackfair; ip netns delete market'])
    rmSync(folder, { recursive: true, force: true })
  })

  it('deploys the contracts on a chain of its own', async () => {
    const roles = Object.fromEntries(['guardian', 'validator', 'treasury'].map((role) => [role, addressOf(generatePrivateKey())]))
    const example = JSON.parse(readFileSync(join(ROOT, 'contracts/script/config/2985.json'), 'utf8')) as object
    const config = { ...example, ...roles, chainId: CHAIN, owner: addressOf(owner), mint: [] }
    writeFileSync(join(folder, '985.json'), JSON.stringify(config))
    const [key = '', dry = '', broadcast = ''] = operators.filter((line) => /DEPLOYER_KEY|deploy\.ts/.test(line))
    const out = `${folder}/deployment.json`
    expect(await run([key, dry], {}, 'market', ROOT)).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing was sent'),
    })
    done.push(broadcast)
    const sent = await finish(shell([key, `${broadcast} --out ${out}`].map(replace), 'market', {}, ROOT))
    expect(sent, sent.output).toMatchObject({ code: 0, output: expect.stringContaining('deployed and verified') })
    cpSync(out, join(folder, '985.json'))
    await giveCredit(rpcUrl, JSON.parse(readFileSync(out, 'utf8')), [addressOf(provider), addressOf(user)])
  })

  it('starts the platform behind nginx with TLS', async () => {
    writeFileSync(join(folder, 'site.json'), guideBlocks('operators', 'json')[0] as string)
    writeFileSync(join(folder, 'web/index.html'), '<title>market</title>')
    const [start = ''] = operators.filter((line) => line.includes('--trust-proxies'))
    background(start, 'market')
    const subject = ['-subj', '/CN=market.example', '-addext', 'subjectAltName=DNS:market.example', '-days', '1', '-nodes']
    const files = ['-keyout', join(folder, 'key.pem'), '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject, ...files], {
      stdio: 'ignore',
    })
    const server = (guideBlocks('operators', 'nginx')[0] as string)
      .replace(/\S+\/fullchain\.pem/, certificate)
      .replace(/\S+\/privkey\.pem/, join(folder, 'key.pem'))
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log ${folder}/nginx.log; events {}\nhttp { access_log off;\n${server}}\n`,
    )
    const nginx = ['nginx', '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx.log'), '-g', 'daemon off;']
    running.push(spawn('ip', ['netns', 'exec', 'market', ...nginx], { stdio: 'inherit' }))
    await vi.waitFor(() => expect(ask('/v1/config')).toMatchObject({ chainId: CHAIN, access: expect.any(String) }), LONG)
  })

  it('installs a provider from nothing, and upgrades it', async () => {
    const origin = join(folder, 'origin')
    sh(
      `git clone -q --bare ${ROOT} ${origin} && git -C ${origin} branch -f trunk HEAD && git -C ${origin} symbolic-ref HEAD refs/heads/trunk`,
    )
    const [clone = '', enter = '', packages = '', alias = ''] = providers
    const home = join(folder, 'machine')
    mkdirSync(home)
    const { code, output } = await run([clone, enter], {}, 'provider', home)
    expect(code, output).toBe(0)
    // Node and pnpm are those of this checkout, and the packages come from its store: nothing outside can be reached from here.
    const checkout = join(home, 'rackfair')
    const [from, to] = [join(ROOT, '.rackfair/toolchain'), join(checkout, '.rackfair/toolchain')]
    mkdirSync(to, { recursive: true })
    symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'))
    cpSync(join(from, 'installed.txt'), join(to, 'installed.txt'))
    const store = execFileSync(join(from, 'node_modules/.bin/pnpm'), ['store', 'path'], { cwd: ROOT, encoding: 'utf8' }).trim()
    const offline = { CI: 'true', npm_config_offline: 'true', npm_config_store_dir: dirname(store) }
    const installed = await run([packages, alias, 'rackfair-agent --version'], offline, 'provider', checkout)
    expect(installed.code, installed.output).toBe(0)
    const [pull = '', version = ''] = providers.slice(providers.indexOf('git pull --ff-only'))
    const upgraded = await run([pull, version], offline, 'provider', checkout)
    expect(upgraded, upgraded.output).toMatchObject({ code: 0, output: expect.stringContaining('v24.') })
  })

  it('brings a provider Online that knows the platform alone', async () => {
    const [init = '', fromFile = ''] = providers.filter((line) => line.startsWith('rackfair-agent init'))
    const elsewhere = await runs(`${init}`)
    expect(elsewhere).toMatch(/Access contract 0x\w+, as https:\/\/market\.example says/)
    done.push(init)
    const mine = { RACKFAIR_PROVIDER_KEY: provider }
    const again = await finish(shell([`${replace(init)} --yes`], 'provider', mine, folder))
    expect(again, again.output).toMatchObject({ code: 0 })
    writeFileSync(
      join(folder, 'agent.json'),
      replace(guideBlocks('providers', '').find((block) => block.startsWith('{')) as string),
    )
    expect(await runs(fromFile)).toContain('operator')
    const file = '/etc/rackfair/agent.json'
    writeFileSync(
      file,
      JSON.stringify({
        ...JSON.parse(readFileSync(file, 'utf8')),
        imageCache: IMAGE_CACHE,
        overcommitDisk: true,
        wipeAfterSeconds: 0,
      }),
    )
    await run(['rackfair-agent doctor'])
    const synced = await run(['rackfair-agent images sync'])
    expect(synced.output).toMatch(/nginx: [0-9a-f]{64}/)
    expect(synced, synced.output).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no image of .*stablediffusion.*: orders with them will fail here/),
    })
    expect(await runs('rackfair-agent self-test')).toContain('This machine runs orders.')
    background('rackfair-agent start', 'provider', folder)
    await vi.waitFor(() => expect(isOnline()?.[0]).toBe(true), LONG)
  })

  it('runs an order and every command of the list', async () => {
    const mine = { RACKFAIR_PROVIDER_KEY: provider }
    const of = (words: string) => providers.find((line) => line.startsWith(`rackfair-agent ${words}`)) as string
    await runs(`${of('register')}`, mine)
    const beyond = await run([of('node add')], mine)
    expect(beyond, 'a node that this machine is too small for').toMatchObject({
      code: 1,
      output: expect.stringMatching(/more than this machine has/),
    })
    await runs(of('node edit'), mine)
    await runs('rackfair-agent node drain 1')
    await runs('rackfair-agent node drain 1 --undo')
    const deployment = JSON.parse(readFileSync(join(folder, 'deployment.json'), 'utf8'))
    const accounts = { ...developmentAccounts(), user: privateKeyToAccount(user), faucet: privateKeyToAccount(owner) }
    const buyer = await createTestBuyer({ rpcUrl, chainId: CHAIN, deployment, accounts } as unknown as Chain)
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
    await vi.waitFor(async () => {
      const { code, output } = await run([of('node remove')], mine)
      expect(code, output).toBe(1)
    }, LONG)
    await buyer.cancel(orderId, privateKeyToAccount(user))
    await vi.waitFor(async () => expect((await run([of('node remove')], mine)).code).toBe(0), LONG)
    for (const words of ['unpledge', 'interest', 'withdraw']) await runs(of(words), mine)
    await end(running.pop())
    expect(await runs(of('halt'), mine)).toMatch(/Nothing ran any more|The data is left/)
    await runs(of('service uninstall'), mine)
  })

  it('leaves no command of the guide for providers out', () => {
    const systemd = 'systemctl restart rackfair-agent'
    expect(providers.filter((line) => line !== systemd && !done.includes(line))).toEqual([])
  })
})

function sh(text: string): void {
  execFileSync('sh', ['-ec', text], { stdio: ['ignore', 'ignore', 'inherit'] })
}
