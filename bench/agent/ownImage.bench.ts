import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { ownApplication } from '../../apps/agent/src/presets/ownApplication.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../../apps/agent/src/runtime/engine/podmanService.ts'
import { debianLayer } from '../../apps/agent/src/testing/ownImageBase.ts'
import { setupRuntime } from '../../apps/agent/src/testing/setupRuntime.ts'
import { startRegistry } from '../../apps/agent/src/testing/startRegistry.ts'
import { percentile, table } from '../platform/table.ts'

/**
 * A renter's own image, already on the machine, from the request to its first answer: a plain `podman run`, the agent with the order's
 * disk, root filesystem, isolation and firewall, and the same under gVisor if it is installed.
 */
const ROUNDS = 10
const SERVE = ['python3', '-m', 'http.server', '8000']
const PORT = 8000

const registry = await startRegistry()
await registry.push('bench/app', '1', { layers: [await debianLayer()], config: { Cmd: SERVE } })
const market = await setupRuntime({ ownImages: { localRegistries: [registry.host] } })
const image = `${registry.host}/bench/app:1`
const answers = async (address: string) => {
  while (!(await fetch(`http://${address}:${PORT}/etc/hostname`).catch(() => undefined))?.ok) await sleep(5)
}
try {
  const given = { image, ports: [{ protocol: 'tcp', port: PORT }] }
  const sizes = { cores: 2, memoryBytes: 2 ** 29, diskBytes: 2 ** 30 }
  const { imageId } = await market.runOwn(1n, given, sizes)
  await market.runtime.remove(1n, { wipe: true })
  const paths = podmanPaths(`${market.data}/engine`, market.instance)
  const podman = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand('podman', [...podmanArguments(paths), ...words], {
      env: podmanEnvironment(paths),
    })
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const plain = async () => {
    const start = performance.now()
    const id = await podman('run', '-d', '--network', 'bench', imageId, ...SERVE)
    await answers(await podman('inspect', '-f', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', id))
    const taken = performance.now() - start
    await podman('rm', '-f', '-t', '0', id)
    return taken
  }
  const agent = async (more: object = {}) => {
    const { application: spec } = parseApplication({ ...given, ...more })
    if (!spec) throw new Error('the specification is wrong')
    const { app } = ownApplication(spec, {})
    const start = performance.now()
    await market.runtime.create(
      { orderId: 1n, deploymentId: 'd', slot: 1, app, env: {}, allowance: { ...sizes, gpus: [] } },
      imageId,
    )
    await market.runtime.start(1n)
    await answers((await market.runtime.find(1n))?.upstream?.address ?? '')
    const taken = performance.now() - start
    await market.runtime.remove(1n, { wipe: true })
    return taken
  }
  await podman('network', 'create', '--disable-dns', '--subnet', '10.254.77.0/24', 'bench')
  const ways = [
    ['podman run', plain],
    ['the agent', () => agent()],
    ...(market.runtime.whyNoGvisor === undefined ? [['the agent, gVisor', () => agent({ sandbox: 'gvisor' })] as const] : []),
  ] as const
  const taken: number[][] = ways.map(() => [])
  // Alternating, so that other load on this machine slows all of them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, [, start]] of ways.entries()) taken[index]?.push(await start())
  await podman('network', 'rm', '-f', 'bench')
  const rows = ways.map(([name], index) => [
    name,
    ...[0.5, 0.95].map((share) => percentile(taken[index] ?? [], share).toFixed(0)),
  ])
  table(['image present, to the first answer', 'p50 ms', 'p95 ms'], rows)
} finally {
  await market.close()
  await registry.close()
}
