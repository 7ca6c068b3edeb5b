import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { openAgentDb } from '../../apps/agent/src/db/openAgentDb.ts'
import { createSignInLimit } from '../../apps/agent/src/doors/ssh/createSignInLimit.ts'
import { createSshKeys } from '../../apps/agent/src/doors/ssh/createSshKeys.ts'
import { createSshServer } from '../../apps/agent/src/doors/ssh/createSshServer.ts'
import { loadHostKey } from '../../apps/agent/src/doors/ssh/hostKey.ts'
import { sayingLog } from '../../apps/agent/src/foundation/log.ts'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { debianLayer } from '../../apps/agent/src/testing/ownImageBase.ts'
import { setupRuntime } from '../../apps/agent/src/testing/setupRuntime.ts'
import { createSshClient } from '../../apps/agent/src/testing/sshClient.ts'
import { startRegistry } from '../../apps/agent/src/testing/startRegistry.ts'
import { percentile, table } from '../platform/table.ts'

/** MB/s of one stream each way with OpenSSH's client: the agent's SSH server compared with sshd in the very container it leads to. */
const MEGABYTES = 200
const ROUNDS = 5
const OWNER = lowerCaseAddress(`0x${'aa'.repeat(20)}`)
const START =
  'mkdir -p /run/sshd /root/.ssh; echo "$KEY" > /root/.ssh/authorized_keys; ssh-keygen -A; exec /usr/sbin/sshd -D -o StrictModes=no'

const registry = await startRegistry()
const client = await createSshClient()
const key = await client.makeKey('bench')
await registry.push('bench/sshd', '1', { layers: [await debianLayer()], config: { Entrypoint: ['/bin/sh', '-c'], Cmd: [START] } })
const market = await setupRuntime({ ownImages: { localRegistries: [registry.host] } })
const state = openAgentDb(':memory:')
const keys = createSshKeys(state, () => 1)
const server = createSshServer({
  hostKey: loadHostKey(join(client.folder, 'host')),
  ...{ keys, inside: market.runtime, place: { host: '127.0.0.1', port: 22 }, checkMs: 1000, log: sayingLog(() => undefined) },
  limit: createSignInLimit({ tries: 5 }),
  ownerOf: async () => OWNER,
})
try {
  const image = `${registry.host}/bench/sshd:1`
  const { address } = await market.runOwn(
    1n,
    { image, env: { KEY: key.line.trim() }, ports: [{ protocol: 'tcp', port: 22 }] },
    { cores: 2, memoryBytes: 2 ** 30, diskBytes: 2 ** 31 },
  )
  keys.add(1n, key.line, { wallet: OWNER, registeredBy: 'bench' })
  const port = await server.listen(0, '127.0.0.1')
  // The client uses the first value it finds.
  const accept = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'].flatMap((one) => ['-o', one])
  const ssh = ['ssh', '-F', '/dev/null', ...accept, ...client.options(key.file)]
  const places = [
    ['sshd in the container', [...ssh, '-p', '22', `root@${address}`]],
    ['the agent', [...ssh, '-p', String(port), 'order-1@127.0.0.1']],
  ] as const
  const up: number[][] = places.map(() => [])
  const down: number[][] = places.map(() => [])
  // Alternating, so that other load on this machine slows both.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, [, command]] of places.entries()) {
      const line = command.map((word) => `'${word}'`).join(' ')
      up[index]?.push(await rate(`head -c ${MEGABYTES}M /dev/zero | ${line} 'cat > /dev/null'`))
      down[index]?.push(await rate(`${line} 'head -c ${MEGABYTES}M /dev/zero' > /dev/null`))
    }
  const middle = (all: number[] = []) => Math.round(percentile(all, 0.5))
  table(
    ['', 'up MB/s', 'down MB/s', 'of sshd'],
    places.map(([what], index) => {
      const share = (all: number[][]) => (middle(all[index]) / middle(all[0])).toFixed(2)
      return [what, middle(up[index]), middle(down[index]), `${share(up)} / ${share(down)}`]
    }),
  )
} finally {
  await server.close()
  state.close()
  await market.close()
  client.close()
  await registry.close()
}

async function rate(line: string): Promise<number> {
  const began = performance.now()
  const { code, stderr } = await runCommand('sh', ['-c', line], { timeoutMs: 300_000 })
  if (code !== 0) throw new Error(stderr)
  return MEGABYTES / ((performance.now() - began) / 1000)
}
