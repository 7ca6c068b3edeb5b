import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { visit } from '@rackfair/testkit'
import { openTenants } from '../../apps/agent/src/commands/openTenants.ts'
import { loadCatalog } from '../../apps/agent/src/presets/loadCatalog.ts'
import { setupMarket, startTestAgent, type TestMarket } from '../../apps/agent/src/testing/setupAgent.ts'

const MAIN = fileURLToPath(new URL('../../apps/agent/src/main.ts', import.meta.url))
const NGINX = 2

/** A market with one provider, whose agent runs in a process of its own as on a provider's machine; the image of nginx is present. */
export async function agentToMeasure(change: Parameters<typeof setupMarket>[0] = (config) => config) {
  const market = await setupMarket((config) => change({ ...config, stopWorkloadsOnExit: false, oversell: true }))
  const first = await startTestAgent(market)
  const nginx = loadCatalog().get(NGINX)
  if (!nginx) throw new Error('the catalogue has no nginx')
  await first.runtime.ensureImage(nginx.app)
  await first.stop()
  let agent: ChildProcess | undefined

  const end = async (signal: NodeJS.Signals) => {
    const last = agent
    agent = undefined
    if (!last || last.exitCode !== null) return
    const ended = new Promise((resolve) => last.once('exit', resolve))
    last.kill(signal)
    await ended
  }
  return {
    market,
    async start() {
      const heard = market.peer.heartbeats()
      agent = spawn(process.execPath, [MAIN, 'start', '--config', market.file], { stdio: ['ignore', 'ignore', 'inherit'] })
      await market.peer.until('the agent is heard', () => market.peer.heartbeats() > heard)
    },
    end,
    /** Resident memory in MB. */
    memory: () => megabytes(agent?.pid ?? 0),
    async close() {
      await end('SIGTERM')
      // Not through an agent: it would restart what its orders are entitled to.
      const tenants = await openTenants(market.config(), market.data, () => {})
      for (const { orderId } of (await tenants?.list()) ?? []) await tenants?.remove(orderId, { wipe: true })
      await tenants?.close({ stopWorkloads: true })
      await market.close()
    },
  }
}

function megabytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return Math.round((pages * 4096) / 2 ** 20)
}

/** The status that a visitor gets at the Visit link of an order. */
export async function statusAt(market: TestMarket, orderId: bigint): Promise<number> {
  const answer = await visit(`${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`)
  await answer.arrayBuffer()
  return answer.status
}
