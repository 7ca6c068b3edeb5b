import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { deploymentOf } from '@rackfair/contracts/deployments'
import { AppError, parseCredit } from '@rackfair/core'
import { createPublicClient, http } from 'viem'
import { openChain } from '../chain/chainView.ts'
import { type AgentConfig, loadConfig, newInstance, saveConfig } from '../config/agentConfig.ts'
import { ensureOperatorKey, parsePrivateKey } from '../config/operatorKey.ts'
import { detectHardware } from '../detect/detectHardware.ts'
import { proposeNodes } from '../detect/proposeNodes.ts'
import { addSubIds } from '../runtime/engine/subIds.ts'
import type { Output } from './output.ts'
import { describePlan, fundOperator, providerPlan, runPlan } from './providerPlan.ts'

export interface InitOptions {
  config: string
  data?: string
  rpc: string
  platform: string
  provider?: string
  access?: string
  deployment?: string
  name?: string
  ip?: string
  domain?: string
  gatewayHost?: string
  gatewayPort: string
  gatewayPortRange?: string
  pledge: string
  nodes: string
  dockerSocket?: string
  imageCache?: string
}

const LOCAL_CHAIN = 2985

/**
 * Prepares a machine: configuration, operator key, and, with the provider's key in the environment, everything on chain.
 * Running it again changes only what is different.
 */
export async function init(options: InitOptions, output: Output): Promise<void> {
  const providerKey = process.env.RACKFAIR_PROVIDER_KEY
  const providerAccount = providerKey ? parsePrivateKey(providerKey, 'RACKFAIR_PROVIDER_KEY') : undefined
  const provider = (providerAccount?.address ?? options.provider)?.toLowerCase()
  if (!provider) throw new AppError('bad_request', 'name the provider: --provider 0x…, or its key in RACKFAIR_PROVIDER_KEY')

  const client = createPublicClient({ transport: http(options.rpc, { timeout: 10_000 }) })
  const chainId = await client.getChainId().catch((cause: unknown) => {
    throw new AppError('chain_unreachable', `no chain answers at ${options.rpc}`, { cause })
  })
  const data = options.data ?? join(dirname(options.config), 'data')
  const before = existsSync(options.config) ? loadConfig(options.config) : undefined
  const local = chainId === LOCAL_CHAIN
  const ip = options.ip ?? (local ? '127.0.0.1' : undefined)
  if (!ip) throw new AppError('bad_request', 'name the address that buyers reach this machine at: --ip')
  const range = options.gatewayPortRange?.split('-').map(Number)
  const wish: AgentConfig = {
    instance: before?.instance ?? newInstance(),
    chainId,
    rpcUrl: options.rpc,
    access: accessOf(options, chainId),
    provider: provider as `0x${string}`,
    operatorKeyFile: before?.operatorKeyFile ?? join(dirname(options.config), 'operator.key'),
    platformUrl: options.platform,
    gateway: {
      host: options.gatewayHost ?? (local ? '127.0.0.1' : '0.0.0.0'),
      port: Number(options.gatewayPort),
      publicHost: ip,
      ...(options.domain ? { domain: options.domain } : {}),
      ...(range ? { portRange: [range[0] as number, range[1] as number] as [number, number] } : {}),
      tls: before?.gateway.tls ?? false,
    },
    ...(options.dockerSocket ? { dockerSocket: options.dockerSocket } : {}),
    ...(before?.presetsFolder ? { presetsFolder: before.presetsFolder } : {}),
    ...((options.imageCache ?? before?.imageCache) ? { imageCache: options.imageCache ?? before?.imageCache } : {}),
    stopWorkloadsOnExit: before?.stopWorkloadsOnExit ?? local,
    wipeAfterSeconds: before?.wipeAfterSeconds ?? (local ? 5 : 60),
  }
  const operator = ensureOperatorKey(wish.operatorKeyFile, process.env.RACKFAIR_OPERATOR_KEY)
  saveConfig(options.config, wish)
  output.say(`configuration ${options.config}, operator ${operator.address}`)
  if (process.getuid?.() === 0)
    for (const file of addSubIds()) output.say(`added the range of user ids for containers to ${file}`)

  const pledgeWei = parseCredit(options.pledge)
  if (pledgeWei === undefined) throw new AppError('bad_request', '--pledge is not an amount of USD')
  const chain = await openChain(wish)
  const hardware = await detectHardware(data)
  const nodes = proposeNodes(hardware, Number(options.nodes))
  output.say(
    `found ${hardware.cpu.processors} × ${hardware.cpu.model} with ${hardware.cpu.coresPerProcessor} cores each, ${hardware.memoryGb} GB of memory and ${hardware.diskGb} GB of disk to offer, ${hardware.gpus.length} GPU`,
  )
  const plan = await providerPlan(chain, wish.provider, {
    name: options.name ?? providerName(),
    ip,
    domain: options.domain ?? '',
    port: wish.gateway.port,
    pledgeWei,
    operator: operator.address,
    nodes,
  })
  const done: { title: string; hash: string }[] = []
  if (providerAccount) {
    await runPlan(chain, options.rpc, providerAccount, plan, (title, hash) => {
      done.push({ title, hash })
      output.say(`${title} (${hash})`)
    })
    if (await fundOperator(chain, options.rpc, providerAccount, operator.address))
      output.say('gave the operator a little for gas')
  }
  const open = providerAccount ? [] : await describePlan(chain.client, wish.provider, plan)
  for (const step of open) output.say(`to send from ${wish.provider}: ${step.title}\n  to ${step.to}\n  data ${step.data}`)
  output.result(
    {
      config: options.config,
      data,
      chainId,
      provider,
      operator: operator.address,
      instance: wish.instance,
      hardware,
      done,
      open,
    },
    open.length > 0 ? `${open.length} transactions wait for the provider's wallet.` : 'Ready: start with rackfair-agent start.',
  )
}

function accessOf(options: InitOptions, chainId: number): `0x${string}` {
  if (options.access) return options.access as `0x${string}`
  if (options.deployment) return (JSON.parse(readFileSync(options.deployment, 'utf8')) as { access: `0x${string}` }).access
  const known = deploymentOf(chainId)
  if (!known) throw new AppError('not_deployed_on_chain', `the market is not known on chain ${chainId}; name --access`)
  return known.access
}

/** The machine's own name, as far as it is fit to be shown. */
function providerName(): string {
  const name = hostname()
    .split('.')[0]
    ?.replace(/[^A-Za-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return name || 'provider'
}
