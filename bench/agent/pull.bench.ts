import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { packLayer, startRegistry, tarOf } from '../../apps/agent/src/testing/startRegistry.ts'
import { table } from '../platform/table.ts'
import type { Pulled } from './pullOnce.ts'

/**
 * A renter's image from a distant registry: the agent's pull, until its layers can be mounted, beside `podman pull`, through the same relay, which passes on
 * each chunk half a round trip later. Debian's docker-registry behind TLS, at an address of the internet in a network namespace of its
 * own.
 */
const ADDRESS = '185.0.2.1'
const MEGABYTES = 60
const ROUNDS = 3
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

if (process.env.RACKFAIR_BENCH_NAMESPACE === undefined) {
  const setUp = `ip link set lo up && ip address add ${ADDRESS}/32 dev lo && exec "$@"`
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', setUp, 'sh', process.execPath, here('./pull.bench.ts')], {
    stdio: 'inherit',
    env: { ...process.env, RACKFAIR_BENCH_NAMESPACE: 'yes' },
  })
  process.exit(status ?? 1)
}

const registry = await startRegistry()
// podman takes 50 characters for its run folder.
const folder = mkdtempSync('/tmp/rf-pull-')
const children: ChildProcess[] = []
const start = (command: string, args: readonly string[]) => {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' } })
  children.push(child)
  return child
}
const run = (command: string, args: readonly string[], cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt') },
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** What podman does with images of its own, in a new folder each time. */
const podman = (words: readonly string[], cwd?: string): number => {
  const store = mkdtempSync(join(folder, 's'))
  const places = ['--root', join(store, 'root'), '--runroot', join(store, 'run'), '--tmpdir', join(store, 'tmp')]
  const at = performance.now()
  run('podman', [...places, '--storage-driver', 'overlay', '--cgroup-manager', 'cgroupfs', ...words], cwd)
  const taken = performance.now() - at
  spawnSync('umount', ['-l', join(store, 'root', 'overlay')])
  rmSync(store, { recursive: true, force: true })
  return taken
}
const agent = (host: string, name: string) => {
  const images = mkdtempSync(join(folder, 'i'))
  const pulled = JSON.parse(run(process.execPath, [here('./pullOnce.ts'), host, name, images])) as Pulled
  rmSync(images, { recursive: true, force: true })
  return pulled
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
const answers = async (host: string) => {
  const ask = () =>
    new Promise<boolean>((resolve) =>
      get(`https://${host}/v2/`, { rejectUnauthorized: false }, () => resolve(true)).once('error', () => resolve(false)),
    )
  while (!(await ask())) await sleep(50)
}

try {
  run('openssl', [
    ...[
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=bench',
    ],
    ...['-addext', `subjectAltName=IP:${ADDRESS}`, '-keyout', 'key.pem', '-out', 'ca.crt'],
  ])
  writeFileSync(
    join(folder, 'tls.yml'),
    `version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: ${registry.folder}/data\nhttp:\n  addr: 127.0.0.1:5443\n  tls:\n    certificate: ${folder}/ca.crt\n    key: ${folder}/key.pem\n`,
  )
  start('docker-registry', ['serve', join(folder, 'tls.yml')])
  mkdirSync(join(folder, 'certs'))
  run('cp', ['ca.crt', 'certs/'])
  const shapes = [3, 20]
  for (const count of shapes)
    await registry.push(`bench/of${count}`, '1', {
      layers: Array.from({ length: count }, (_, at) =>
        packLayer(tarOf({ [`file${at}`]: randomBytes((MEGABYTES * 1e6) / count) })),
      ),
      config: { Cmd: ['/x'] },
    })
  const rows: (string | number)[][] = []
  for (const [port, roundTripMs] of [
    [5100, 100],
    [5020, 20],
  ] as const) {
    start(process.execPath, [here('./pullRelay.ts'), ADDRESS, String(port), '5443', String(roundTripMs / 2)])
    const host = `${ADDRESS}:${port}`
    await answers(host)
    for (const count of shapes) {
      const name = `bench/of${count}`
      const plain: number[] = []
      const ours: ReturnType<typeof agent>[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        plain.push(podman(['pull', '--quiet', '--cert-dir', join(folder, 'certs'), `${host}/${name}:1`]))
        ours.push(agent(host, name))
      }
      const whole = median(ours.map(({ ms }) => ms))
      const peer = median(plain)
      rows.push([
        count,
        `${roundTripMs} ms`,
        (peer / 1000).toFixed(2),
        (whole / 1000).toFixed(2),
        (MEGABYTES / (whole / 1000)).toFixed(1),
        (peer / whole).toFixed(2),
        `${Math.round(median(ours.map(({ grownBytes }) => grownBytes)) / 1e6)} MB`,
      ])
    }
  }
  table(['layers', 'round trip', 'podman pull s', 'agent pulls s', 'MB/s', 'times podman', 'memory grown'], rows)
} finally {
  for (const child of children) {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill()) await ended
  }
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
}
