import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { createApi } from '@rackfair/sdk'
import { type Chain, startChain, visit } from '@rackfair/testkit'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SYSTEM_PACKAGES } from '../../../scripts/systemPackages.mjs'
import { UNUSED_CAPABILITIES } from './commands/installService.ts'
import { RECIPES_TAR, whyNoCleanMachine } from './testing/cleanMachine.ts'
import { guideBlocks } from './testing/guideText.ts'
import { killProcess } from './testing/killProcess.ts'
import { isDeep } from './testing/ownImageBase.ts'
import { IMAGE_CACHE } from './testing/setupAgent.ts'
import { type CleanMachine, startCleanMachine } from './testing/startCleanMachine.ts'
import { startPlatform } from './testing/startPlatform.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'
import { createTestBuyer } from './testing/testBuyer.ts'
import { whyNoMachines } from './testing/whyNoMachines.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const RECIPE = join(ROOT, 'deploy/agent')
const NGINX = 2
const LONG = { timeout: 90_000, interval: 200 }

it('installs the dependencies of the Debian package in the image, and grants the capabilities of the unit', () => {
  const installed = /apt-get install --no-install-recommends -y (.*) \\/.exec(readFileSync(join(RECIPE, 'Containerfile'), 'utf8'))
  expect(installed?.[1]?.split(' ')).toEqual([...SYSTEM_PACKAGES.provider, 'openssh-sftp-server'].sort())
  const unused = /^for unused in (.*); do$/m.exec(readFileSync(join(RECIPE, 'run'), 'utf8'))
  expect(unused?.[1]?.split(' ')).toEqual(UNUSED_CAPABILITIES.map((name) => name.replace('CAP_', '')))
})

function whyNotHere(): string | undefined {
  if (!isDeep) return 'in npm run test:deep'
  return whyNoMachines() ?? whyNoCleanMachine() ?? (existsSync(RECIPES_TAR) ? undefined : 'no Debian for recipes')
}
const reason = whyNotHere()

/**
 * The agent as a container on a Debian that has only podman, by the commands of the guide for providers. Different here: the market, the
 * checkout's own package, the folder, and Debian from a local file.
 */
describe.skipIf(reason)(`the agent as a container, as documented (${reason ?? 'here'})`, { timeout: 600_000 }, () => {
  const base = temporaryFolder('agent-container')
  const shared = join(base, 'shared')
  const [install = [], remove = []] = guideBlocks('providers', 'sh')
    .filter((block) => /^\.\/run /m.test(block))
    .map((block) => block.trim().split('\n'))
  const closing: (() => unknown)[] = []
  let machine: CleanMachine
  let chain: Chain
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let buyer: Awaited<ReturnType<typeof createTestBuyer>>
  let orderId = 0n
  let link = ''

  const names = (): Record<string, string> => ({
    '/srv/rackfair': shared,
    'https://rpc.example': chain.rpcUrl,
    'https://market.example': platform.url,
    '0xYourWallet': chain.accounts.provider.address,
    '203.0.113.7': `127.0.0.1 --access ${chain.deployment.access} --nodes 1 --yes`,
  })
  const run = async (lines: string | readonly string[], env: Record<string, string> = {}) => {
    const text = Object.entries(names()).reduce((line, [from, to]) => line.replaceAll(from, to), [lines].flat().join('\n'))
    const script = `cd ${shared}\n[ ! -d rackfair-agent-container ] || cd rackfair-agent-container\n${text}`
    const [program = '', ...args] = machine.on(['sh', '-ec', script])
    const child = spawn(program, args, {
      env: { HOME: '/root', LANG: 'C.UTF-8', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    return { code, output }
  }
  const runs = async (...of: Parameters<typeof run>) => {
    const { code, output } = await run(...of)
    expect(code, output).toBe(0)
    return output
  }
  const agent = (words: string) => runs(`podman exec rackfair-agent rackfair-agent ${words}`)
  const pack = (version: string) => {
    const [line = ''] = install
    const [command = '', ...args] = line
      .replace('npm run tool -- node', process.execPath)
      .replace('/srv/rackfair', shared)
      .split(' ')
    execFileSync(command, [...args, '--version', version], { cwd: ROOT, stdio: 'pipe' })
  }
  const processes = (name: string) =>
    spawnSync('pgrep', ['-f', name], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((pid) => pid !== '')
  /** The tenant's first process, and its start time. */
  const tenant = () => {
    const [pid = ''] = processes('nginx: master process')
    return { pid, started: pid && execFileSync('ps', ['-o', 'lstart=', pid], { encoding: 'utf8' }).trim() }
  }
  /** The total memory that a process sees. */
  const memoryOf = (pid: string) => {
    const asked = spawnSync('nsenter', ['-t', pid, '--mount', '--pid', '--cgroup', 'cat', '/proc/meminfo'], { encoding: 'utf8' })
    return Number(/^MemTotal:\s+(\d+) kB/.exec(asked.stdout)?.[1])
  }
  /** Polls the tenant, bypassing its agent, until told to stop, and returns how often it did not answer. */
  const askThroughout = async (during: () => unknown) => {
    const { pid } = tenant()
    const text = execFileSync('nsenter', ['-t', pid, '--net', 'ip', '-j', '-4', 'address', 'show', 'scope', 'global'], {
      encoding: 'utf8',
    })
    const [link] = JSON.parse(text) as [{ addr_info: [{ local: string }] }]
    const script = `asked=0; failed=0; trap 'echo $asked $failed; exit' TERM
      while :; do curl -sf -m 2 -o /dev/null http://${link.addr_info[0].local}:8080/ || failed=$((failed+1)); asked=$((asked+1)); sleep 0.05; done`
    const asking = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    asking.stdout.on('data', (chunk: Buffer) => {
      said += chunk
    })
    const ended = new Promise((resolve) => asking.once('close', resolve))
    try {
      await during()
    } finally {
      asking.kill('SIGTERM')
      await ended
    }
    const [asked = 0, failed = 1] = said.trim().split(' ').map(Number)
    return { asked, failed }
  }
  const isVisited = () => vi.waitFor(async () => expect((await visit(link)).status).toBe(200), LONG)

  beforeAll(async () => {
    mkdirSync(shared)
    closing.push(() => {
      spawnSync('sh', ['-c', 'grep -F " $0/" /proc/self/mounts | cut -d " " -f 2 | tac | xargs -r umount -l', base])
    })
    chain = await startChain()
    closing.push(() => chain.stop())
    platform = await startPlatform(chain, base)
    closing.push(() => platform.stop())
    buyer = await createTestBuyer(chain)
    for (const { address } of [chain.accounts.provider, chain.accounts.user]) await buyer.fund(address, 10_000n * ONE_CREDIT_WEI)
    machine = await startCleanMachine(base, [shared, IMAGE_CACHE])
    closing.push(() => machine.stop())
    pack('0.1.0')
    await runs([
      'apt-get update && apt-get install -y --no-install-recommends podman runc netavark catatonit nftables iptables',
      `podman import --quiet ${RECIPES_TAR} docker.io/library/debian:bookworm-slim`,
      // Tenant images are not built here again.
      `mkdir -p /etc/rackfair/images && mount --bind ${IMAGE_CACHE} /etc/rackfair/images`,
    ])
  }, 300_000)
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  }, 120_000)

  it('builds and prepares as documented, and isolates tenants', async () => {
    const [, build = '', , init = '', , doctor = ''] = install
    await runs(build.replace('podman build', 'podman build --pull=never'))
    const key = toHex(chain.accounts.provider.getHdKey().privateKey as Uint8Array)
    expect(await runs(init, { RACKFAIR_PROVIDER_KEY: key })).toContain('Ready')
    const file = join(machine.root, 'etc/rackfair/agent.json')
    const more = { imageCache: '/etc/rackfair/images', overcommitDisk: true, stopWorkloadsOnExit: false, wipeAfterSeconds: 0 }
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }))
    const { output } = await run(doctor)
    // No resolver outside is reachable.
    expect(output.match(/^FAIL .*$/gm)).toEqual([expect.stringMatching(/^FAIL {2}names for applications: /)])
    for (const wall of ['other tenants: out of reach', 'second wall: stands', 'user namespace: nobody outside'])
      expect(output).toContain(`pass  isolation: ${wall}`)
  })

  it('starts as documented, without the privileges that its unit drops, and runs an order', async () => {
    await runs(install.slice(6))
    const [pid] = processes('rackfair-agent/dist/main.mjs')
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bounding = BigInt(`0x${/^CapBnd:\s+(\w+)$/m.exec(status)?.[1]}`)
    const sysTime = 25n
    expect((bounding >> sysTime) & 1n).toBe(0n)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    const provider = chain.accounts.provider.address.toLowerCase() as `0x${string}`
    const api = createApi({ baseUrl: platform.url })
    await vi.waitFor(async () => expect((await api.provider(provider)).nodes.map(({ online }) => online)).toEqual([true]), LONG)
    orderId = await buyer.buy(provider, 1n)
    link = `http://127.0.0.1:7070/?OrderId=${orderId}&UserAddress=${chain.accounts.user.address}`
    const request = await buyer.sign({ orderId, deployId: NGINX, provider })
    await vi.waitFor(async () => {
      const headers = { 'content-type': 'application/json' }
      const sent = await fetch(`${platform.url}/v1/deployments`, { method: 'POST', headers, body: JSON.stringify(request) })
      expect(sent.status, await sent.clone().text()).toBe(202)
    }, LONG)
    await isVisited()
    expect(await agent('status')).toContain(`order ${orderId}: preset ${NGINX} is Running`)
    expect(memoryOf(tenant().pid)).toBeLessThan(memoryOf('1'))
  })

  it('is upgraded while the tenant keeps responding, and takes it over', async () => {
    const before = tenant()
    const { asked, failed } = await askThroughout(async () => {
      pack('0.2.0')
      await runs([
        install[1]?.replace('podman build', 'podman build --pull=never') ?? '',
        install[5] ?? '',
        'podman image prune --force',
      ])
      expect((await agent('--version')).trim()).toBe('0.2.0')
      await isVisited()
    })
    expect(failed).toBe(0)
    expect(asked).toBeGreaterThan(20)
    expect(tenant(), 'the same process').toEqual(before)
    expect(memoryOf(before.pid)).toBeLessThan(memoryOf('1'))
    killProcess(before.pid)
    await vi.waitFor(() => expect(tenant().pid).toMatch(/\d/), LONG)
    await isVisited()
  })

  it('restarts when it is killed, while the tenant keeps running', async () => {
    const before = tenant()
    const { failed } = await askThroughout(async () => {
      const [pid = ''] = processes('rackfair-agent/dist/main.mjs')
      killProcess(pid)
      await vi.waitFor(() => {
        const again = processes('rackfair-agent/dist/main.mjs')
        expect(again).toHaveLength(1)
        expect(again).not.toContain(pid)
      }, LONG)
      await isVisited()
    })
    expect(failed).toBe(0)
    expect(tenant()).toEqual(before)
  })

  it('refuses to be removed while an order runs, and leaves nothing afterwards', async () => {
    const [stop = '', uninstall = '', ...rest] = remove
    await runs(stop)
    const refused = await run(uninstall)
    expect(refused.code, refused.output).not.toBe(0)
    expect(refused.output).toContain(`orders ${orderId} run on this machine`)
    await runs([`${uninstall} --force`, ...rest])
    for (const program of ['/etc/rackfair/data', 'nginx: master', 'lxcfs', 'conmon'])
      expect(processes(program), program).toEqual([])
    const text = async (command: string) => (await runs(command)).split('\n')
    expect(
      (await text('cat /proc/self/mounts')).filter(
        (line) => /rackfair-|\/etc\/rackfair\/data/.test(line) && !line.includes(base),
      ),
    ).toEqual([])
    expect((await text('losetup -a')).filter((line) => line.includes('/etc/rackfair'))).toEqual([])
    expect((await text('ls /run /var/lib/rackfair')).filter((line) => line.startsWith('rackfair') || /^\d+$/.test(line))).toEqual(
      [],
    )
    expect(execFileSync('nft', ['list', 'ruleset'], { encoding: 'utf8', stdio: 'pipe' })).not.toMatch(/rackfair|"rf/)
    expect(execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' })).not.toMatch(/: (rf|veth)/)
    expect(
      (await text('ls /etc/rackfair/data')).filter((name) => name !== '' && !/^(agent|evidence)\.sqlite/.test(name)),
    ).toEqual([])
    expect((await runs('podman images --quiet rackfair-agent')).trim()).toBe('')
  })
})
