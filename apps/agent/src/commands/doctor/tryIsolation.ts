import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { type Check, check, NO_IMAGE } from '../../foundation/Check.ts'
import { sayingLog } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { createEngineRuntime, type EngineRuntime } from '../../runtime/engine/createEngineRuntime.ts'
import { startFakeOutside } from '../../runtime/engine/fakeOutside.ts'
import { workloadName } from '../../runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../../runtime/engine/podmanService.ts'
import { beginTrial } from '../../runtime/engine/trial.ts'
import type { RunSpec } from '../../runtime/RunSpec.ts'

const NGINX = 2
const TENANT = 1n
const NEIGHBOUR = 2n
const CORES = 0.5
const MEMORY_BYTES = 128 * 2 ** 20
const DISK_BYTES = 64 * 2 ** 20
const START_MS = 120_000
/** A trial that times out counts as a failed wall: only a hang takes this long. */
const INSIDE_MS = 300_000
const FIX = 'this machine does not keep tenants apart: do not sell on it; see the log of podman and the kernel'

/** Trials from inside: each shell line must succeed if the wall holds. */
export const INSIDE: readonly (readonly [string, string, string])[] = [
  ['memory limit', 'stopped', '[ "$(head -c 300000000 /dev/zero | tail | wc -c)" = 0 ]'],
  [
    'processor limit',
    'half a core',
    'cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu.max 2>/dev/null | grep -q "^50000"',
  ],
  [
    'disk limit',
    'full at its size',
    'dd if=/dev/zero of=/srv/www/big bs=1M count=100 2>&1 | grep -q "No space left"; r=$?; rm -f /srv/www/big; exit $r',
  ],
  [
    'memory filesystems',
    'full at their size',
    'dd if=/dev/zero of=/var/tmp/big bs=1M count=32 2>&1 | grep -q "No space left"; r=$?; rm -f /var/tmp/big; exit $r',
  ],
  // The user may not write there anyway, but the kernel checks for a read-only mount before permissions.
  [
    'read-only root',
    'not writable',
    'for path in /x /etc/x /usr/bin/x; do touch $path 2>&1 | grep -q "Read-only file system" || exit 1; done',
  ],
  ['no capabilities', 'none', '[ "$(grep -cE "Cap(Eff|Prm|Bnd|Amb):\\s+0{16}" /proc/self/status)" = 4 ]'],
  ['no new privileges', 'set', 'grep -qE "NoNewPrivs:\\s+1" /proc/self/status'],
  // The engines' default profiles allow `personality`.
  [
    'seccomp profile',
    'filters',
    'grep -qE "Seccomp:\\s+2" /proc/self/status && ! unshare -U true 2>/dev/null && setarch "$(uname -m)" --uname-2.6 true 2>&1 | grep -q "Operation not permitted"',
  ],
  ['open files', 'limited', 'n=$(ulimit -n); [ "$n" -ge 4096 ] && [ "$n" -le 1048576 ]'],
  ['pending signals and timers', 'limited', '[ "$(ulimit -i)" = 1024 ]'],
  // Started they would take more memory than a trial should.
  ['process limit', 'limited', 'grep -qxs 2048 /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max'],
  ['terminals', 'limited', 'grep -q "^devpts /dev/pts .*max=64" /proc/self/mounts'],
  ['inotify', 'limited', '[ "$(cat /proc/sys/user/max_inotify_instances)" = 128 ]'],
  ['user namespace', 'nobody outside', "awk '{ exit !($2 >= 100000) }' /proc/self/uid_map"],
]

/** Starts two containers as orders get them and has one try to break out: every promised wall, tested on this machine. */
export async function tryIsolation(
  config: AgentConfig,
  data: string,
  machineIsReady: boolean,
  say: (line: string) => void,
): Promise<Check[]> {
  if (!machineIsReady) return [check('isolation', false, 'not tried', 'fix what failed above, then run doctor again')]
  const trial = await beginTrial('rackfair-doctor-')
  const { folder, instance } = trial
  let runtime: EngineRuntime | undefined
  try {
    runtime = await createEngineRuntime({
      instance,
      data: folder,
      presetsFolder: config.presetsFolder ?? PRESETS_FOLDER,
      imageCache: config.imageCache ?? join(data, 'images'),
      dockerSocket: config.dockerSocket,
      resolvers: config.resolvers,
      log: sayingLog(say),
    })
    const app = loadCatalog(config.presetsFolder ?? PRESETS_FOLDER).get(NGINX)?.app
    if (!app) throw new Error('the catalogue has no nginx')
    if (!(await runtime.images.isReady(app))) return [check('isolation', false, NO_IMAGE.found, NO_IMAGE.fix)]
    say('starting two containers to try the isolation of tenants')
    const neighbour = await startOne(runtime, app, NEIGHBOUR, say)
    await startOne(runtime, app, TENANT, say)
    return await tryAll(runtime, insideOf(config, folder, instance), neighbour)
  } catch (error) {
    return [check('isolation', false, reasonOf(error).slice(0, 300), FIX)]
  } finally {
    for (const orderId of [TENANT, NEIGHBOUR]) await runtime?.remove(orderId, { wipe: true }).catch(() => {})
    await runtime?.close({ stopWorkloads: true }).catch(() => {})
    await trial.end(say)
  }
}

async function startOne(runtime: EngineRuntime, app: RunSpec, orderId: bigint, say: (line: string) => void): Promise<string> {
  const imageId = await runtime.ensureImage(app, say)
  const allowance = { cores: CORES, memoryBytes: MEMORY_BYTES, diskBytes: DISK_BYTES, gpus: [] }
  await runtime.create({ orderId, deploymentId: 'doctor', slot: Number(orderId), app, env: {}, allowance }, imageId)
  await runtime.start(orderId)
  const deadline = performance.now() + START_MS
  while (!(await runtime.probe(orderId, app.probe))) {
    if (performance.now() > deadline) throw new Error(`nginx does not answer: ${await runtime.logs(orderId, 5)}`)
    await sleep(50)
  }
  return (await runtime.list()).find((one) => one.orderId === orderId)?.upstream?.address ?? ''
}

async function tryAll(runtime: EngineRuntime, inside: (line: string) => Promise<boolean>, neighbour: string): Promise<Check[]> {
  const checks: Check[] = []
  for (const [name, found, line] of INSIDE) {
    const ok = await inside(line)
    checks.push(check(`isolation: ${name}`, ok, ok ? found : 'got through', FIX))
  }
  const reaches = (host: string, port: number, seconds = 2) =>
    inside(`timeout ${seconds} bash -c 'exec 3<>/dev/tcp/${host}/${port}'`)
  const outside = await startFakeOutside([80, 25])
  const host = createServer((_, answer) => answer.end()).listen(0, '0.0.0.0')
  try {
    await once(host, 'listening')
    host.on('error', () => {})
    const { port } = host.address() as AddressInfo
    // Without this check, the others would pass in a container that has no network at all.
    const open = await reaches(outside.public, 80, 60)
    checks.push(
      check(
        'network of tenants',
        open,
        open ? 'reaches the public internet' : 'reaches nothing',
        'check ip forwarding, and what other firewalls of this machine drop',
      ),
    )
    const targets: [string, string, number][] = [
      ['other tenants', neighbour, 8080],
      ['the host', outside.hostAddress, port],
      ['private addresses', outside.private, 80],
      ['metadata addresses', outside.linkLocal, 80],
      ['mail ports', outside.public, 25],
    ]
    for (const [name, address, at] of targets) {
      const through = await reaches(address, at)
      checks.push(check(`isolation: ${name}`, !through, through ? 'reached' : 'out of reach', FIX))
    }
    await runtime.firewall.remove()
    const through = (await reaches(outside.private, 80)) || (await reaches(neighbour, 8080))
    checks.push(check('isolation: second wall', !through, through ? 'reached' : 'stands without the firewall', FIX))
  } finally {
    host.close()
    await outside.close()
  }
  return checks
}

/** Runs a shell line in the tenant's container; true if it succeeds. */
function insideOf(config: AgentConfig, folder: string, instance: string) {
  const paths = podmanPaths(join(folder, 'engine'), instance)
  const command = ['exec', workloadName(instance, TENANT), '/bin/bash', '-c']
  return async (line: string): Promise<boolean> => {
    const { code } = config.dockerSocket
      ? await runCommand('docker', ['-H', `unix://${config.dockerSocket}`, ...command, line], { timeoutMs: INSIDE_MS })
      : await runCommand('podman', [...podmanArguments(paths), ...command, line], {
          env: podmanEnvironment(paths),
          timeoutMs: INSIDE_MS,
        })
    return code === 0
  }
}
