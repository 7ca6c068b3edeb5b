import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../../apps/agent/src/foundation/runCommand.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../../apps/agent/src/runtime/engine/podmanService.ts'
import { deployMany } from '../../apps/agent/src/testing/manyOrders.ts'
import { table } from '../platform/table.ts'
import { agentToMeasure, statusAt } from './startedAgent.ts'

/**
 * Memory of the agent with 0, 10 and 50 running orders of nginx, and the time from its start until the last of 50 answers at its Visit
 * link: after kill -9 with the containers still running, and after everything was stopped as by a reboot.
 */
const STEPS = [0, 10, 50]
const SETTLE_MS = 15_000
const LIMIT_MS = 240_000
const bench = await agentToMeasure()
const { market } = bench
try {
  await bench.start()
  const orders: bigint[] = []
  const memory: (string | number)[][] = []
  for (const count of STEPS) {
    const before = performance.now()
    if (count > orders.length) orders.push(...(await deployMany(market, count - orders.length, orders.length)))
    const seconds = (performance.now() - before) / 1000
    await sleep(SETTLE_MS)
    memory.push([count, `${bench.memory()} MB`, count === 0 ? '-' : `${seconds.toFixed(1)} s`])
  }
  table(['orders', 'memory of the agent', 'bought, deployed and running'], memory)

  await bench.end('SIGKILL')
  const killed = await untilAllAnswer(orders)
  await bench.end('SIGTERM')
  const paths = podmanPaths(`${market.data}/engine`, market.config().instance)
  await runCommand('podman', [...podmanArguments(paths), 'stop', '--all', '--time', '1'], {
    env: podmanEnvironment(paths),
    timeoutMs: LIMIT_MS,
  })
  const stopped = await untilAllAnswer(orders)
  table(
    [`${orders.length} orders`, 'from the start of the agent until all answer'],
    [
      ['agent killed, containers running', `${(killed / 1000).toFixed(1)} s`],
      ['everything stopped', `${(stopped / 1000).toFixed(1)} s`],
    ],
  )
} finally {
  await bench.close()
}

async function untilAllAnswer(orders: readonly bigint[]): Promise<number> {
  const before = performance.now()
  await bench.start()
  for (const orderId of orders) {
    while ((await statusAt(market, orderId).catch(() => 0)) !== 200) {
      if (performance.now() - before > LIMIT_MS) throw new Error(`order ${orderId} does not answer`)
      await sleep(50)
    }
  }
  return performance.now() - before
}
