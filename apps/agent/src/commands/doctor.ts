import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openChain } from '../chain/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { missingSubIds } from '../runtime/engine/subIds.ts'
import { runCommand } from '../runtime/runCommand.ts'

export interface Check {
  name: string
  ok: boolean
  found: string
  /** What to do about it. */
  fix?: string
}

const PROGRAMS: readonly (readonly [string, string])[] = [
  ['podman', 'podman'],
  ['runc', 'runc'],
  ['/usr/lib/podman/netavark', 'netavark'],
  ['/usr/lib/podman/aardvark-dns', 'aardvark-dns'],
  ['iptables', 'iptables'],
  ['nft', 'nftables'],
  ['catatonit', 'catatonit'],
  ['newuidmap', 'uidmap'],
  ['mkfs.ext4', 'e2fsprogs'],
  ['mmdebstrap', 'mmdebstrap'],
]
const GIGABYTE = 2 ** 30

/** Every requirement of a provider's machine as pass or fail, each with its fix. Changes nothing that stays. */
export async function doctor(config: AgentConfig | undefined, data: string): Promise<Check[]> {
  const checks: Check[] = []
  const check = (name: string, ok: boolean, found: string, fix: string) =>
    checks.push(ok ? { name, ok, found } : { name, ok, found, fix })
  const root = process.getuid?.() === 0
  check(
    'runs as root',
    root,
    root ? 'root' : `user ${process.getuid?.()}`,
    'run the agent as root: user namespaces, networks and disks of tenants need it',
  )
  const node = Number(process.versions.node.split('.')[0])
  check('Node.js', node >= 24, process.version, 'use Node.js 24 or later')

  if (!config?.dockerSocket) {
    for (const [program, debian] of PROGRAMS) {
      const there = program.startsWith('/')
        ? existsSync(program)
        : (await runCommand('sh', ['-c', `command -v ${program}`])).code === 0
      check(`program ${debian}`, there, there ? 'there' : 'missing', `apt-get install --no-install-recommends ${debian}`)
    }
    const lacking = missingSubIds()
    check(
      'user ids for tenants',
      lacking.length === 0,
      lacking.length === 0 ? 'there' : `missing in ${lacking.join(', ')}`,
      'run rackfair-agent init as root',
    )
  } else check('Docker socket', existsSync(config.dockerSocket), config.dockerSocket, 'start Docker')

  const nft = await runCommand('nft', ['-c', '-f', '-'], {
    input: 'table inet rackfair_doctor { chain c { type filter hook forward priority 0; ct state established accept; }; }',
  })
  check(
    'kernel firewall (nftables)',
    nft.code === 0,
    nft.code === 0 ? 'works' : nft.stderr.trim().slice(0, 120),
    'load nf_tables and nf_conntrack',
  )
  const bridge = await runCommand('ip', ['link', 'add', 'rfdoctor', 'type', 'bridge'])
  if (bridge.code === 0) await runCommand('ip', ['link', 'del', 'rfdoctor'])
  check('bridge networks', bridge.code === 0, bridge.code === 0 ? 'work' : bridge.stderr.trim(), 'load the kernel module bridge')
  const loop = await tryLoopDisk(data)
  check('sized disks (loop device)', loop === undefined, loop ?? 'work', 'load the kernel module loop')
  const seccomp = /Seccomp_filters|Seccomp:/.test(readFileSync('/proc/self/status', 'utf8'))
  check('seccomp', seccomp, seccomp ? 'there' : 'missing', 'use a kernel with CONFIG_SECCOMP_FILTER')
  for (const controller of ['memory', 'pids', 'cpu']) {
    const v2 =
      existsSync('/sys/fs/cgroup/cgroup.controllers') &&
      readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').includes(controller)
    const ok = v2 || existsSync(`/sys/fs/cgroup/${controller}`)
    check(`cgroup ${controller}`, ok, ok ? (v2 ? 'v2' : 'v1') : 'missing', `enable the ${controller} controller`)
  }

  if (!config) return checks
  try {
    const operator = loadOperatorKey(config.operatorKeyFile)
    check('operator key', true, operator.address, '')
    const chain = await openChain(config)
    check('chain', true, `${config.chainId} at ${config.rpcUrl}`, '')
    const info = await chain.providerInfo()
    check('provider registered', info.exist, info.exist ? info.name : 'no', 'run rackfair-agent register')
    check(
      'operator appointed',
      info.operator.toLowerCase() === operator.address.toLowerCase(),
      info.operator,
      `the provider must call setOperator(${operator.address}); run rackfair-agent register`,
    )
    check('nodes listed', info.nNode > 0, String(info.nNode), 'run rackfair-agent node add')
    const gas = await chain.client.getBalance({ address: operator.address })
    check(
      'gas of the operator',
      gas > 10n ** 15n,
      `${gas} wei`,
      `send a little of the chain's own currency to ${operator.address}`,
    )
    const drift = Math.abs(Date.now() / 1000 - (await chain.head()).timestamp)
    check(
      'clock',
      config.chainId === 2985 || drift < 300,
      `${Math.round(drift)} s from the chain`,
      'synchronise the clock (chrony, systemd-timesyncd)',
    )
  } catch (error) {
    check('chain and key', false, (error as Error).message, 'see the message')
  }
  const platform = await fetch(new URL('/healthz', config.platformUrl), { signal: AbortSignal.timeout(5000) }).catch(
    (error: Error) => error,
  )
  const answers = platform instanceof Response && platform.ok
  check(
    'platform',
    answers,
    answers ? config.platformUrl : `${config.platformUrl}: ${platform instanceof Error ? platform.message : platform.status}`,
    'check --platform and the network',
  )
  const gateway = await fetch(`http://127.0.0.1:${config.gateway.port}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.ok,
    () => false,
  )
  const free = gateway || (await portIsFree(config.gateway.port))
  check(
    'gateway port',
    free,
    gateway ? `${config.gateway.port}, the agent answers` : free ? `${config.gateway.port} free` : `${config.gateway.port} taken`,
    'choose another with init --gateway-port',
  )
  return checks
}

async function tryLoopDisk(data: string): Promise<string | undefined> {
  const folder = join(data, 'doctor')
  try {
    mkdirSync(join(folder, 'mnt'), { recursive: true })
    writeFileSync(join(folder, 'disk.img'), '')
    truncateSync(join(folder, 'disk.img'), GIGABYTE / 16)
    const made = await runCommand('mkfs.ext4', ['-q', '-F', join(folder, 'disk.img')])
    const mounted =
      made.code === 0 ? await runCommand('mount', ['-o', 'loop', join(folder, 'disk.img'), join(folder, 'mnt')]) : made
    if (mounted.code !== 0) return mounted.stderr.trim().slice(0, 120)
    await runCommand('umount', [join(folder, 'mnt')])
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function portIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
