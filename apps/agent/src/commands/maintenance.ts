import { AppError } from '@rackfair/rules/errors/AppError'
import { type ContractCall, createApi } from '@rackfair/sdk'
import { announceMaintenance, readMonitors, withdrawMaintenance } from '@rackfair/sdk/uptime'
import { openChain } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { Output } from './output.ts'
import { summaryOf } from './register.ts'
import { sendAsProvider } from './sendSteps.ts'

export interface MaintenanceFlags {
  /** Node ids; all of the provider's if empty. */
  nodes: readonly string[]
  from?: string
  until?: string
  withdraw: boolean
}

/** Announces when nodes may be down without a penalty, or withdraws an announcement. Without a time it lists what is announced. */
export async function maintenance(config: AgentConfig, flags: MaintenanceFlags, output: Output): Promise<void> {
  if (flags.from === undefined && flags.until === undefined && !flags.withdraw) return listPlanned(config, output)
  const [from, until] = [secondsOf('from', flags.from), secondsOf('until', flags.until)]
  const chain = await openChain(config)
  const contract = await readMonitors(chain.client, chain.addresses.access)
  if (!contract)
    throw new AppError('not_deployed_on_chain', 'this market has no monitors: nothing is measured, and nothing was sent')
  const own = (await chain.nodes()).filter(({ exist }) => exist).map(({ id }) => id)
  const nodeIds = flags.nodes.length === 0 ? own : flags.nodes.map((text) => own.find((id) => String(id) === text))
  const unknown = flags.nodes.filter((_, index) => nodeIds[index] === undefined)
  if (unknown.length > 0) throw new AppError('NodeNotFound', `there is no node ${unknown.join(', ')}; nothing was sent`)

  const act = flags.withdraw ? withdrawMaintenance : announceMaintenance
  const { timestamp } = await chain.head()
  // Findings is not among the five contracts that the type of a step's call covers.
  const call = act(contract, { nodeIds: nodeIds as bigint[], from, until }, timestamp) as unknown as ContractCall
  const title = `${flags.withdraw ? 'withdraw' : 'announce'} maintenance from ${timeOf(from)} to ${timeOf(until)} for ${nodeIds.length === 1 ? `node ${nodeIds[0]}` : `${nodeIds.length} nodes`}`
  const sent = await sendAsProvider(chain, config.rpcUrl, config.provider, [{ title, call }], output)
  output.result(sent, summaryOf(sent))
}

async function listPlanned(config: AgentConfig, output: Output): Promise<void> {
  const { maintenance: planned } = await createApi({ baseUrl: config.platforms }).providerReliability(config.provider)
  const lines = planned.map(({ nodeId, from, until }) => `node ${nodeId}  ${timeOf(from)}  to  ${timeOf(until)}`)
  output.result(planned, lines.length === 0 ? 'No maintenance is announced.' : lines.join('\n'))
}

function secondsOf(name: string, text = ''): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new AppError('bad_request', `--${name} is a time such as 2030-01-31T02:00Z, not "${text}"; nothing was sent`)
  return Math.floor(time / 1000)
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace(':00.000Z', 'Z')
