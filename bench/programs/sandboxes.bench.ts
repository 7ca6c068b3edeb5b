import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  connectMarket,
  createPurse,
  depositToPurse,
  grantKey,
  searchNodes,
  waitForReceipt,
  withAccount,
  withPurse,
} from '@rackfair/sdk'
import { Sandbox } from '@rackfair/sdk/sandbox'
import { startMarket } from '@rackfair/testkit'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../../apps/agent/src/runtime/engine/podmanService.ts'
import { percentile, table } from '../platform/table.ts'

/**
 * From a key to the first output of a command, bought, deployed and run as a program does it, beside `podman run` of the same image, which is
 * present; and what a hundred sandboxes one after the other leave behind.
 */
const ROUNDS = 20
const SANDBOXES = Number(process.env.BENCH_SANDBOXES ?? 100)
const LINE = ['sh', '-c', 'echo begun']

const market = await startMarket({ agent: true })
try {
  const found = await connectMarket({ platform: market.url })
  const [owner, key] = [generatePrivateKey(), generatePrivateKey()].map((one) => withAccount(found, privateKeyToAccount(one)))
  if (owner === undefined || key === undefined) throw new Error('two keys were made')
  for (const { wallet } of [owner, key])
    for (const hash of (await found.api.faucet(wallet.account.address)).transactionHashes)
      await waitForReceipt(found.client, hash as Hex)
  const { purse } = await createPurse(owner)
  await depositToPurse(owner, purse, 100n * ONE_CREDIT_WEI)
  await grantKey(owner, purse, key.wallet.account.address, { totalWei: 100n * ONE_CREDIT_WEI, validUntil: 4_000_000_000 })
  const program = withPurse(key, purse)
  const isListed = async () => (await searchNodes(found, { runs: 'nginx' })).nodes.some((one) => one.blocker === undefined)
  while (!(await isListed())) await new Promise((go) => setTimeout(go, 100))

  const sandbox = async () => {
    const start = performance.now()
    const one = await Sandbox.create(program, { preset: 'nginx', maxPriceWei: ONE_CREDIT_WEI })
    let taken = 0
    const onStdout = () => {
      taken ||= performance.now() - start
    }
    await one.commands.run(LINE, { onStdout })
    await one.kill()
    return taken
  }
  const agent = join(market.stateDir, 'agent')
  const { instance } = JSON.parse(readFileSync(join(agent, 'config.json'), 'utf8')) as { instance: string }
  const paths = podmanPaths(join(agent, 'data', 'engine'), instance)
  const podman = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand('podman', [...podmanArguments(paths), ...words], {
      env: podmanEnvironment(paths),
    })
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  // The image as it is there: that of a sandbox which runs.
  const running = await Sandbox.create(program, { preset: 'nginx', maxPriceWei: ONE_CREDIT_WEI })
  const [image = ''] = (await podman('ps', '--no-trunc', '--format', '{{.ImageID}}')).split('\n')
  await running.kill()
  /** Without the program of the image, for which a sandbox does not wait either. */
  const plain = async () => {
    const start = performance.now()
    assert.equal(await podman('run', '--rm', '--entrypoint', 'sh', image, ...LINE.slice(1)), 'begun')
    return performance.now() - start
  }
  await plain()

  const taken: { ours: number[]; podman: number[] } = { ours: [], podman: [] }
  // Alternating, so that other load on this machine slows both.
  for (let round = 0; round < ROUNDS; round += 1) {
    taken.ours.push(await sandbox())
    taken.podman.push(await plain())
  }
  const [ours, peer] = [percentile(taken.ours, 0.5), percentile(taken.podman, 0.5)]
  table(
    ['from key to first output, image present', 'p50 ms', 'p95 ms', 'relative'],
    [
      ['podman run', peer.toFixed(0), percentile(taken.podman, 0.95).toFixed(0), '1'],
      ['bought, deployed, run', ours.toFixed(0), percentile(taken.ours, 0.95).toFixed(0), (ours / peer).toFixed(2)],
    ],
  )

  const before = left()
  for (let at = 0; at < SANDBOXES; at += 1) await sandbox()
  const after = left()
  const open = await Sandbox.list(program)
  console.log()
  table(
    ['after one more sandbox, and after a hundred', 'mounts', 'network interfaces', 'memory of the agent MB', 'open orders'],
    [
      ['before', before.mounts, before.interfaces, before.memoryMb, 0],
      ['after', after.mounts, after.interfaces, after.memoryMb, open.length],
    ],
  )
  // The last sandbox may still be wiped at either time; a hundred that leave something leave more than it has.
  assert.ok(after.mounts - before.mounts < 10 && after.interfaces - before.interfaces < 10, 'something is left')
  assert.equal(open.length, 0)

  function left() {
    const own = readFileSync('/proc/self/mounts', 'utf8')
    const { children } = JSON.parse(readFileSync(join(market.stateDir, 'market.json'), 'utf8')) as { children: { pid: number }[] }
    const pid = children.find((child) => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').includes('/agent/'))?.pid
    const resident = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    return {
      mounts: own.split('\n').filter((line) => line.includes(market.stateDir) || line.includes(paths.run)).length,
      interfaces: readdirSync('/sys/class/net').length,
      memoryMb: Math.round(resident / 1024),
    }
  }
} finally {
  await market.stop()
}
