import { durationInWords, MAX_MIN_TERM_SECONDS, MIN_ORDER_SECONDS, readDuration } from '@rackfair/rules/duration'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { NodeInput } from '@rackfair/rules/formRules'
import { parseCredit } from '@rackfair/rules/money'
import { addNodeCall, removeNodeCall, setMinTermCall, setOnlineCall, updateNodeCall } from '@rackfair/sdk'
import { openChain } from '../chain/read/chainView.ts'
import { type AgentConfig, saveConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { offeredHardware } from '../machine/detect/offeredHardware.ts'
import { type Share, soldBeyond } from '../machine/detect/soldBeyond.ts'
import { isSame } from './nodeFile/planImport.ts'
import type { Output } from './output.ts'
import type { PlannedStep } from './providerPlan.ts'
import { summaryOf } from './register.ts'
import { sendAsProvider, sendSteps } from './sendSteps.ts'

export interface NodeFlags {
  cpuModel?: string
  cpus?: string
  cores?: string
  cpuPrice?: string
  gpuModel?: string
  gpus?: string
  gpuPrice?: string
  memory?: string
  memoryPrice?: string
  disk?: string
  diskPrice?: string
}

/** The agent that the node commands act for. */
export interface NodeContext {
  config: AgentConfig
  /** Path of the configuration. */
  file: string
  data: string
  /** More than the machine has may be sold; remembered in the configuration. */
  oversell?: boolean
}

type Chain = Awaited<ReturnType<typeof openChain>>

async function sendOrPrint(config: AgentConfig, output: Output, make: (chain: Chain) => Promise<PlannedStep[]>) {
  const chain = await openChain(config)
  const sent = await sendAsProvider(chain, config.rpcUrl, config.provider, await make(chain), output)
  output.result(sent, summaryOf(sent))
}

/** Offers another node. A node identical to an unsold one is added only with `another`. */
export const addNode = (context: NodeContext, flags: NodeFlags & { another: boolean }, output: Output) =>
  sendOrPrint(context.config, output, async (chain) => {
    const next = toNode(flags)
    const listed = await chain.nodes()
    const twin = flags.another ? undefined : listed.find((node) => !node.sold && isSame(next, node))
    if (!twin) await requireRoom(context, [...listed, next])
    if (twin) output.say(`node ${twin.id} is just like it; --another adds one more`)
    return twin ? [] : [{ title: 'add a node', call: addNodeCall(chain.addresses, next) }]
  })

export const editNode = (context: NodeContext, id: string, flags: NodeFlags, output: Output) =>
  sendOrPrint(context.config, output, async (chain) => {
    const node = await existing(chain, id)
    if (node.sold)
      throw new AppError('NodeSold', `node ${id} is held by order ${node.orderId}; it can be changed when the order is over`)
    const next = toNode(flags, node)
    const takesMore = SIZES.some((size) => next[size] > node[size]) || next.gpuModel !== node.gpuModel
    if (takesMore) await requireRoom(context, [...(await chain.nodes()).filter((one) => one.id !== node.id), next])
    return isSame(next, node) ? [] : [{ title: `change node ${id}`, call: updateNodeCall(chain.addresses, node.id, next) }]
  })

/** Deletes an unsold node. */
export const removeNode = (config: AgentConfig, id: string, output: Output) =>
  sendOrPrint(config, output, async (chain) => {
    const node = await existing(chain, id)
    if (node.sold)
      throw new AppError('NodeSold', `node ${id} is held by order ${node.orderId}; take it off the market with node drain`)
    return [{ title: `remove node ${id}`, call: removeNodeCall(chain.addresses, node.id) }]
  })

const SIZES = ['nCPU', 'core', 'nGPU', 'nMEM', 'nDISK'] as const

/** Ensures that the nodes together offer no more than the machine has, unless the provider passes `--oversell`. */
export async function requireRoom({ config, file, data, oversell = false }: NodeContext, nodes: readonly Share[]): Promise<void> {
  if (oversell && !config.oversell) saveConfig(file, { ...config, oversell })
  const beyond = soldBeyond(nodes, await offeredHardware(config, data), { ...config, oversell: oversell || config.oversell })
  if (beyond.length > 0)
    throw new AppError(
      'node_oversold',
      `all nodes together would offer more than this machine has: ${beyond.join(', ')}; nothing was sent. Offer less, or pass --oversell`,
    )
}

/** Takes a node off the market, or puts it back: running orders continue, new purchases are refused. The operator key may do this. */
export async function drainNode(config: AgentConfig, id: string, online: boolean, output: Output): Promise<void> {
  const chain = await openChain(config)
  const node = await existing(chain, id)
  if (node.online === online) return output.result({ done: [], open: [] }, 'Nothing to do.')
  const call = setOnlineCall(chain.addresses, config.provider, node.id, online)
  const title = online ? `put node ${id} back on the market` : `take node ${id} off the market`
  await sendAsOperator(config, chain, { title, call }, output)
}

/** Sells a node for at least this time, from the next order on. The operator key may do this. */
export async function setTerm(config: AgentConfig, id: string, time: string, output: Output): Promise<void> {
  const minTerm = readDuration(time)
  if (minTerm === undefined || minTerm < MIN_ORDER_SECONDS || minTerm > MAX_MIN_TERM_SECONDS)
    throw new AppError('bad_request', `${time} is not a time from an hour to six months, such as 2h, 3 days or 1 month`)
  const chain = await openChain(config)
  const node = await existing(chain, id)
  if (node.minTerm === minTerm) return output.result({ done: [], open: [] }, 'Nothing to do.')
  const call = setMinTermCall(chain.addresses, config.provider, node.id, minTerm)
  const title = `sell node ${id} for at least ${durationInWords(minTerm, 'en')}`
  await sendAsOperator(config, chain, { title, call }, output)
}

async function sendAsOperator(config: AgentConfig, chain: Chain, step: PlannedStep, output: Output): Promise<void> {
  const done = await sendSteps(chain, config.rpcUrl, loadOperatorKey(config.operatorKeyFile), [step], output)
  output.result({ done, open: [] }, 'Done.')
}

async function existing(chain: Chain, id: string) {
  if (!/^[1-9]\d{0,9}$/.test(id)) throw new AppError('bad_request', `${id} is not the number of a node`)
  const node = await chain.node(BigInt(id))
  if (!node.exist) throw new AppError('NodeNotFound', `there is no node ${id}`)
  return node
}

function toNode(flags: NodeFlags, before?: NodeInput): NodeInput {
  const whole = (text: string | undefined, otherwise: number, name: string) => {
    if (text === undefined) return otherwise
    if (!/^\d{1,7}$/.test(text)) throw new AppError('bad_request', `--${name} is not a whole number`)
    return Number(text)
  }
  const price = (text: string | undefined, otherwise: bigint, name: string) => {
    if (text === undefined) return otherwise
    const wei = parseCredit(text, 9)
    if (wei === undefined) throw new AppError('bad_request', `--${name} is not an amount of USD with at most 9 decimals`)
    return wei
  }
  const node = {
    cpuModel: flags.cpuModel ?? before?.cpuModel ?? '',
    gpuModel: flags.gpuModel ?? before?.gpuModel ?? '',
    nCPU: whole(flags.cpus, before?.nCPU ?? 1, 'cpus'),
    core: whole(flags.cores, before?.core ?? 1, 'cores'),
    nGPU: whole(flags.gpus, before?.nGPU ?? 0, 'gpus'),
    nMEM: whole(flags.memory, before?.nMEM ?? 0, 'memory'),
    nDISK: whole(flags.disk, before?.nDISK ?? 0, 'disk'),
    pCPU: price(flags.cpuPrice, before?.pCPU ?? 0n, 'cpu-price'),
    pGPU: price(flags.gpuPrice, before?.pGPU ?? 0n, 'gpu-price'),
    pMEM: price(flags.memoryPrice, before?.pMEM ?? 0n, 'memory-price'),
    pDISK: price(flags.diskPrice, before?.pDISK ?? 0n, 'disk-price'),
  }
  for (const [option, gigabytes] of Object.entries({ memory: node.nMEM, disk: node.nDISK }))
    if (gigabytes === 0)
      throw new AppError(
        'bad_request',
        `an application needs memory and disk: say with --${option} how many GB; nothing was sent`,
      )
  return node
}
