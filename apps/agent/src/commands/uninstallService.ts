import { existsSync, globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isLive, openChain } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { gatewayAnswers } from '../doors/gateway/gatewayAnswers.ts'
import { runCommand } from '../foundation/runCommand.ts'
import { podmanPaths } from '../runtime/engine/podmanService.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { releaseUserIds } from '../runtime/engine/userIds.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import { UNIT } from './installService.ts'
import { openTenants } from './openTenants.ts'
import type { Output } from './output.ts'

const OF_THE_ENGINE = ['engine', 'volumes', 'images']
/**
 * Logs and usage of applications; the encryption keys and hardware measurements, which the next start recreates; labels of nodes, which
 * are matched again.
 */
const MADE_ANEW = [
  'output',
  'notes',
  'usage',
  'node-usage',
  'node-labels.json',
  'encryption-keys.json',
  'ssh-host-key',
  'hardware*',
  'tools',
]

/**
 * Removes the agent from this machine: its unit, containers and networks, firewall, the disks and logs of orders, and its images.
 * Configuration, key, state and the evidence against false reports stay. Refuses while orders are live here, unless forced: then their
 * buyers lose their data.
 */
export async function uninstallService(
  config: AgentConfig,
  data: string,
  { root, force }: { root: string; force: boolean },
  output: Output,
): Promise<void> {
  if (!force) await requireNoOrders(config)
  const file = join(root, UNIT)
  const installed = existsSync(file)
  if (installed && resolve(root) === '/' && existsSync('/run/systemd/system'))
    await runCommand('systemctl', ['disable', '--now', 'rackfair-agent.service'])
  if (await gatewayAnswers(config.gateway)) throw new AppError('conflict', 'the agent is running; stop it first')
  rmSync(file, { force: true })
  const tenants = await openTenants(config, data, output.say)
  if (tenants) {
    output.say('removing what orders have left: containers, networks, disks and images')
    await removeTenants(tenants)
  }
  for (const folder of OF_THE_ENGINE) await removeEngine(join(data, folder), podmanPaths('', config.instance).run)
  releaseUserIds(data)
  for (const name of globSync(MADE_ANEW, { cwd: data })) rmSync(join(data, name), { recursive: true, force: true })
  output.result(
    { uninstalled: true, file, data },
    `The agent is gone from this machine. Its configuration, its key, and agent.sqlite and evidence.sqlite in ${data} are left.`,
  )
}

async function removeTenants(runtime: Runtime): Promise<void> {
  const orders = new Set([...(await runtime.list()).map((one) => one.orderId), ...(await runtime.ordersWithData())])
  for (const orderId of orders) await runtime.remove(orderId, { wipe: true })
  await runtime.close({ stopWorkloads: true })
}

async function requireNoOrders(config: AgentConfig): Promise<void> {
  const chain = await openChain(config)
  const [{ timestamp }, nodes] = await Promise.all([chain.head(), chain.nodes()])
  const orders = await Promise.all(nodes.filter((one) => one.orderId !== 0n).map((one) => chain.order(one.orderId)))
  const live = orders.flatMap((order) => (order && isLive(order, timestamp) ? [order.id] : []))
  if (live.length > 0)
    throw new AppError(
      'NodeSold',
      `orders ${live.join(', ')} run on this machine; end them first, or lose what is pledged and pass --force`,
    )
}
