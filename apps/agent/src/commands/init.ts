import { dirname, join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { parseCredit } from '@rackfair/rules/money'
import { readMarket } from '@rackfair/sdk'
import { isAddressEqual, zeroAddress } from 'viem'
import { type ChainView, openChain } from '../chain/read/chainView.ts'
import { saveConfig } from '../config/agentConfig.ts'
import { ensureOperatorKey } from '../config/operatorKey.ts'
import type { Hardware } from '../machine/detect/detectHardware.ts'
import { offeredHardware } from '../machine/detect/offeredHardware.ts'
import { modelsOf, type ProposedPrice, proposeNodes } from '../machine/detect/proposeNodes.ts'
import { soldBeyond } from '../machine/detect/soldBeyond.ts'
import { askPrices, type PriceFlags } from './askPrices.ts'
import { checkCluster, requireCluster } from './doctor/checkCluster.ts'
import { requireMachine } from './doctor/checkMachine.ts'
import type { Output } from './output.ts'
import { providerPlan } from './providerPlan.ts'
import { type InitOptions, machineName, readAnswers } from './readAnswers.ts'
import { sendAsProvider } from './sendSteps.ts'

const DEFAULT_NODES = '2'

export interface InitChoices extends InitOptions, PriceFlags {
  data?: string
  /** The agent starts right afterwards: nothing is sent for a machine that could not run an order. */
  start?: boolean
}

/**
 * Prepares a machine: configuration, operator key, and, with the provider's key in the environment, everything on chain.
 * Running it again changes only what is different.
 */
export async function init(options: InitChoices, output: Output): Promise<void> {
  const wish = await readAnswers(options, output)
  const pledgeWei = options.pledge === undefined ? undefined : parseCredit(options.pledge)
  if (options.pledge !== undefined && pledgeWei === undefined)
    throw new AppError('bad_request', '--pledge is not an amount of USD')
  const count = options.nodes ?? DEFAULT_NODES
  if (!/^[1-9]\d{0,2}$/.test(count)) throw new AppError('bad_request', '--nodes is not a number of nodes')
  const chain = await openChain(wish)
  const operator = ensureOperatorKey(wish.operatorKeyFile, process.env.RACKFAIR_OPERATOR_KEY)
  saveConfig(options.config, wish)
  output.say(`configuration ${options.config}, operator ${operator.address}`)
  const { data = join(dirname(options.config), 'data') } = options
  const cluster = await checkCluster(wish)
  for (const { name, ok, found, fix } of cluster) if (!ok) output.say(`${name}: ${found}; ${fix}`)
  if (options.start && wish.kubernetes) requireCluster(cluster)
  else if (options.start) await requireMachine(wish.dockerSocket, data)

  const hardware = await offeredHardware(wish, data)
  output.say(
    `${wish.sampleHardware ? 'simulating' : 'found'} ${hardware.cpu.processors} × ${hardware.cpu.model} with ${hardware.cpu.coresPerProcessor} cores each, ${hardware.memoryGb} GB of memory and ${hardware.diskGb} GB of disk to offer, ${gpusText(hardware)}`,
  )
  const info = await chain.providerInfo()
  const listed = info.lastNode === 0n ? [] : await chain.nodes()
  const prices = info.lastNode === 0n ? await askPrices(hardware, wish.platforms, options, output) : []
  const nodes = info.lastNode === 0n ? proposedNodes(hardware, Number(count), prices, output) : []
  for (const beyond of soldBeyond(listed, hardware, wish))
    output.say(`the nodes on the market offer more than this machine has: ${beyond}; fix it with node edit or node remove`)
  const plan = await providerPlan(chain, wish.provider, {
    name:
      options.name ??
      (info.name || ((await output.ask('Name of the provider', await freeName(chain, machineName(), wish.provider))) as string)),
    ip: wish.gateway.publicHost,
    domain: wish.gateway.domain ?? '',
    port: wish.gateway.port,
    pledgeWei,
    operator: operator.address,
    nodes,
  })
  const { done, open } = await sendAsProvider(chain, wish.rpcUrl, wish.provider, plan, output)
  const { chainId, provider, instance } = wish
  output.result(
    {
      config: options.config,
      data,
      chainId,
      provider,
      operator: operator.address,
      instance,
      hardware,
      prices,
      done,
      open,
      ...(wish.kubernetes ? { cluster } : {}),
    },
    open.length > 0 ? `${open.length} transactions wait for the provider's wallet.` : 'Ready: start with rackfair-agent start.',
  )
}

function proposedNodes(hardware: Hardware, count: number, prices: readonly ProposedPrice[], output: Output) {
  const nodes = proposeNodes(hardware, count, prices)
  const models = modelsOf(hardware)
  const offered = nodes.reduce((total, one) => total + one.nGPU, 0)
  if (models.length > count && nodes.length >= models.length)
    output.say(`a node has GPUs of one model: ${nodes.length} nodes, one for each of ${models.join(', ')}`)
  if (offered < hardware.gpus.length)
    output.say(
      `${hardware.gpus.length - offered} GPU are not offered: this machine has fewer cores than models of GPUs, and each needs a node`,
    )
  return nodes
}

function gpusText({ gpus }: Hardware): string {
  if (gpus.length === 0) return 'no GPU'
  return modelsOf({ gpus })
    .map((model) => `${gpus.filter((one) => one.model === model).length} × ${model}`)
    .join(', ')
}

/** The name itself, or with the end of the provider's address appended if another provider has it: many machines share a host name. */
async function freeName({ client, addresses }: ChainView, name: string, provider: `0x${string}`): Promise<string> {
  const holder = await readMarket(client, addresses, 'registry', 'holderOf', [name])
  const isFree = isAddressEqual(holder, zeroAddress) || isAddressEqual(holder, provider)
  return isFree ? name : `${name}-${provider.slice(-4)}`
}
