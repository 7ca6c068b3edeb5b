import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type Check, check } from '../../foundation/Check.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { canRaise, KERNEL_LIMITS, kernelLimit } from '../../runtime/engine/kernelLimits.ts'
import { type HeldFolder, holdFolder, sweepFolders } from '../../runtime/heldFolder.ts'

/** Each program (or its file, if it is not on the PATH) and the Debian package that contains it. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ['podman', 'podman'],
  ['runc', 'runc'],
  ['/usr/lib/podman/netavark', 'netavark'],
  ['iptables', 'iptables'],
  ['nft', 'nftables'],
  ['catatonit', 'catatonit'],
  ['mkfs.ext4', 'e2fsprogs'],
  ['mmdebstrap', 'mmdebstrap'],
]
const DISK_BYTES = 64 * 2 ** 20

export const checkNode = (): Check =>
  check('Node.js', Number(process.versions.node.split('.')[0]) >= 24, process.version, 'use Node.js 24 or later')

/** Checks what the machine needs to isolate tenants. */
export async function checkMachine(dockerSocket: string | undefined, data: string): Promise<Check[]> {
  const root = process.getuid?.() === 0
  return [
    check(
      'runs as root',
      root,
      root ? 'root' : `user ${process.getuid?.()}`,
      'run the agent as root: user namespaces, networks and disks of tenants need it',
    ),
    checkNode(),
    ...(dockerSocket === undefined ? await checkPodman() : [checkDocker(dockerSocket)]),
    ...(await checkKernel(data)),
    ...checkLimits(),
  ]
}

/** @throws AppError `isolation_unavailable` listing everything missing, for a machine that could not run an order. */
export async function requireMachine(...of: Parameters<typeof checkMachine>): Promise<void> {
  const missing = (await checkMachine(...of)).filter((one) => !one.ok)
  if (missing.length === 0) return
  const list = missing.map((one) => `${one.name}: ${one.found}; ${one.fix}`).join('\n  ')
  throw new AppError('isolation_unavailable', `this machine cannot run orders yet, nothing was sent:\n  ${list}`)
}

const checkDocker = (socket: string): Check => check('Docker socket', existsSync(socket), socket, 'start Docker')

async function checkPodman(): Promise<Check[]> {
  const checks: Check[] = []
  for (const [program, debian] of PROGRAMS) {
    const there = program.startsWith('/')
      ? existsSync(program)
      : (await runCommand('sh', ['-c', `command -v ${program}`])).code === 0
    checks.push(
      check(`program ${debian}`, there, there ? 'there' : 'missing', `apt-get install --no-install-recommends ${debian}`),
    )
  }
  const lxcfs = (await runCommand('sh', ['-c', 'command -v lxcfs'])).code === 0
  const missing = {
    ...({ ok: true, warning: true, fix: 'apt-get install --no-install-recommends lxcfs' } as const),
    found: 'missing: applications see the memory and the load of the whole machine',
  }
  checks.push({ name: 'program lxcfs', ...(lxcfs ? { ok: true, found: 'there' } : missing) })
  return checks
}

async function checkKernel(data: string): Promise<Check[]> {
  const checks: Check[] = []
  const nft = await runCommand('nft', ['-c', '-f', '-'], {
    input:
      'table inet rackfair_doctor { chain c { type filter hook forward priority 0; ct state established accept; limit rate over 9/second drop; ct count over 9 drop; }; }',
  })
  const said = nft.code === 0 ? 'works' : nft.stderr.trim().slice(0, 120)
  checks.push(
    check(
      'kernel firewall (nftables)',
      nft.code === 0,
      said,
      'install nftables; load nf_tables, nf_conntrack, nft_limit and nft_connlimit',
    ),
  )
  const name = `rfdoc${randomBytes(4).toString('hex')}`
  const bridge = await runCommand('ip', ['link', 'add', name, 'type', 'bridge'])
  if (bridge.code === 0) await runCommand('ip', ['link', 'del', name])
  const works = bridge.code === 0 ? 'work' : bridge.stderr.trim()
  checks.push(check('bridge networks', bridge.code === 0, works, 'load the kernel module bridge'))
  const loop = await tryLoopDisk(data)
  checks.push(check('sized disks (loop device)', loop === undefined, loop ?? 'work', 'load the kernel module loop'))
  const seccomp = /Seccomp_filters|Seccomp:/.test(readFileSync('/proc/self/status', 'utf8'))
  checks.push(check('seccomp', seccomp, seccomp ? 'there' : 'missing', 'use a kernel with CONFIG_SECCOMP_FILTER'))
  const controllers = '/sys/fs/cgroup/cgroup.controllers'
  for (const controller of ['memory', 'pids', 'cpu']) {
    const v2 = existsSync(controllers) && readFileSync(controllers, 'utf8').includes(controller)
    const ok = v2 || existsSync(`/sys/fs/cgroup/${controller}`)
    checks.push(check(`cgroup ${controller}`, ok, ok ? (v2 ? 'v2' : 'v1') : 'missing', `enable the ${controller} controller`))
  }
  return checks
}

/** Kernel limits shared by all containers and the machine: a single tenant could exhaust a low one. */
function checkLimits(): Check[] {
  return KERNEL_LIMITS.map(({ name, wanted, least }) => {
    const value = kernelLimit(name)
    const enough = value === undefined || value >= least
    const raised = !enough && canRaise(name)
    const found = `${value ?? 'no such limit'}${raised ? `, the agent raises it to ${wanted}` : ''}`
    return check(`kernel limit ${name}`, enough || raised, found, `sysctl -w ${name}=${wanted}, and the same in /etc/sysctl.d`)
  })
}

async function tryLoopDisk(data: string): Promise<string | undefined> {
  let held: HeldFolder | undefined
  try {
    mkdirSync(data, { recursive: true })
    await sweepFolders(data, ['doctor-'])
    held = holdFolder(data, 'doctor-')
    const folder = held.path
    mkdirSync(join(folder, 'mnt'))
    writeFileSync(join(folder, 'disk.img'), '')
    truncateSync(join(folder, 'disk.img'), DISK_BYTES)
    const made = await runCommand('mkfs.ext4', ['-q', '-F', join(folder, 'disk.img')])
    const mounted =
      made.code === 0 ? await runCommand('mount', ['-o', 'loop', join(folder, 'disk.img'), join(folder, 'mnt')]) : made
    if (mounted.code !== 0) return mounted.stderr.trim().slice(0, 120)
    await runCommand('umount', [join(folder, 'mnt')])
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    held?.release()
  }
}
