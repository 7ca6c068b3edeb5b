import { AppError, formatCredit, parseCredit } from '@rackfair/core'
import { contractCall, readMarket } from '@rackfair/sdk'
import { openChain } from '../chain/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { loadOperatorKey, parsePrivateKey } from '../config/operatorKey.ts'
import type { NodeInput } from '../detect/proposeNodes.ts'
import type { Output } from './output.ts'
import { describePlan, type PlannedStep, runPlan } from './providerPlan.ts'

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

/** Sends steps with the provider's key from the environment, or prints what its wallet has to send. */
async function sendOrPrint(
  config: AgentConfig,
  output: Output,
  make: (chain: Awaited<ReturnType<typeof openChain>>) => Promise<PlannedStep[]>,
) {
  const chain = await openChain(config)
  const steps = await make(chain)
  const key = process.env.RACKFAIR_PROVIDER_KEY
  if (steps.length === 0) return output.result({ done: [], open: [] }, 'Nothing to do.')
  if (!key) {
    const open = await describePlan(chain.client, config.provider, steps)
    for (const step of open) output.say(`to send from ${config.provider}: ${step.title}\n  to ${step.to}\n  data ${step.data}`)
    return output.result(
      { done: [], open },
      `${open.length} transactions wait for the provider's wallet (or set RACKFAIR_PROVIDER_KEY).`,
    )
  }
  const account = parsePrivateKey(key, 'RACKFAIR_PROVIDER_KEY')
  if (account.address.toLowerCase() !== config.provider)
    throw new AppError('bad_request', 'RACKFAIR_PROVIDER_KEY is of another provider')
  const done: { title: string; hash: string }[] = []
  await runPlan(chain, config.rpcUrl, account, steps, (title, hash) => {
    done.push({ title, hash })
    output.say(`${title} (${hash})`)
  })
  output.result({ done, open: [] }, 'Done.')
}

export const addNode = (config: AgentConfig, flags: NodeFlags, output: Output) =>
  sendOrPrint(config, output, async (chain) => [
    { title: 'add a node', call: contractCall(chain.addresses, 'registry', 'add_node', [toNode(flags)]) },
  ])

export const editNode = (config: AgentConfig, id: string, flags: NodeFlags, output: Output) =>
  sendOrPrint(config, output, async (chain) => {
    const node = await existing(chain, id)
    if (node.sold)
      throw new AppError('NodeSold', `node ${id} is held by order ${node.orderId}; it can be changed when the order is over`)
    const next = toNode(flags, node)
    const same = (Object.keys(next) as (keyof NodeInput)[]).every((key) => next[key] === node[key])
    return same
      ? []
      : [{ title: `change node ${id}`, call: contractCall(chain.addresses, 'registry', 'updatenode', [node.id, next]) }]
  })

/** Takes a node off the market (or back): what runs goes on, nothing new is bought. The operator key may do this. */
export async function drainNode(config: AgentConfig, id: string, online: boolean, output: Output): Promise<void> {
  const chain = await openChain(config)
  const node = await existing(chain, id)
  if (node.online === online) return output.result({ done: [] }, 'Nothing to do.')
  const call = contractCall(chain.addresses, 'registry', 'setOnline', [config.provider, node.id, online])
  const title = online ? `put node ${id} back on the market` : `take node ${id} off the market`
  await runPlan(chain, config.rpcUrl, loadOperatorKey(config.operatorKeyFile), [{ title, call }], (_, hash) =>
    output.result({ done: [{ title, hash }] }, `${title} (${hash})`),
  )
}

/** What the provider earned goes to the provider, or to another address of its choice. */
export const withdraw = (config: AgentConfig, to: string | undefined, output: Output) =>
  sendOrPrint(config, output, async (chain) => {
    const earned = await readMarket(chain.client, chain.addresses, 'market', 'earned', [config.provider])
    if (earned === 0n) return []
    const call = to
      ? contractCall(chain.addresses, 'market', 'proWithdrawTo', [to as `0x${string}`])
      : contractCall(chain.addresses, 'market', 'proWithdraw', [])
    return [{ title: `withdraw ${formatCredit(earned)} Credit`, call }]
  })

async function existing(chain: Awaited<ReturnType<typeof openChain>>, id: string) {
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
  return {
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
}
