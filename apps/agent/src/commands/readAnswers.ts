import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { deploymentOf } from '@rackfair/contracts/deployments'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isIpAddress } from '@rackfair/rules/formRules'
import { createApi } from '@rackfair/sdk/http'
import { createPublicClient, http } from 'viem'
import type { z } from 'zod'
import { type AgentConfig, configDraft, readConfigFile, readRpcFile } from '../config/agentConfig.ts'
import { SAMPLE_REFUSED } from '../config/sampleHardware.ts'
import { hideSecretsOf, hostOf } from '../foundation/hiddenSecrets.ts'
import { newInstance } from '../runtime/engine/names.ts'
import { OWN_IMAGES } from '../runtime/ownImageRules.ts'
import type { Output } from './output.ts'
import { type EdgeChoices, placeAtEdges } from './placeAtEdges.ts'
import { providerAccount } from './sendSteps.ts'

export interface InitOptions extends EdgeChoices {
  config: string
  rpc?: string
  rpcFile?: string
  platform?: string | readonly string[]
  provider?: string
  access?: string
  purses?: string
  deployment?: string
  name?: string
  gatewayPortRange?: string
  pledge?: string
  nodes?: string
  dockerSocket?: string
  imageCache?: string
  oversell?: boolean
}

const DEFAULT_PORT = 7070
const METRICS_PORT = 9470
const NO_PLATFORM = 'name the platform: --platform'
const LOCAL = '127.0.0.1'

/** Collects an agent's settings: from options first, then from the configuration file, then by asking, then from defaults. */
export async function readAnswers(options: InitOptions, output: Output): Promise<AgentConfig> {
  const file = existsSync(options.config) ? readConfigFile(options.config, configDraft) : {}
  const need = async (value: string | undefined, question: string, otherwise: string | undefined, hint: string) => {
    const answer = value ?? (await output.ask(question, otherwise))
    if (answer === undefined) throw new AppError('bad_request', hint)
    return answer
  }
  if (options.rpc !== undefined && options.rpcFile !== undefined)
    throw new AppError('bad_request', '--rpc and --rpc-file name the same: leave one out')
  const rpcFile = options.rpcFile ?? (options.rpc === undefined ? file.rpcFile : undefined)
  const known = options.rpcFile === undefined ? (options.rpc ?? file.rpcUrl) : readRpcFile(options.rpcFile)
  const rpcUrl = await need(known, 'RPC of the chain', undefined, 'name the RPC of the chain: --rpc or --rpc-file')
  hideSecretsOf(rpcUrl)
  const chainId = await createPublicClient({ transport: http(rpcUrl, { timeout: 10_000, retryCount: 1 }) })
    .getChainId()
    .catch((cause: unknown) => {
      throw new AppError('chain_unreachable', `no chain answers at ${hostOf(rpcUrl)}`, { cause })
    })
  if (file.chainId !== undefined && file.chainId !== chainId)
    throw new AppError('wrong_chain', `${hostOf(rpcUrl)} is chain ${chainId}, ${options.config} is for ${file.chainId}`)
  const local = chainId === DEVELOPMENT_CHAIN_ID
  if (file.sampleHardware && !local) throw new AppError('bad_request', `${options.config}: sampleHardware: ${SAMPLE_REFUSED}`)
  const platforms = platformsOf(await need(platformsText(options.platform ?? file.platforms), 'Platform', undefined, NO_PLATFORM))
  const provider = await need(
    providerAccount()?.address ?? options.provider ?? file.provider,
    'Address of the provider',
    undefined,
    'name the provider: --provider 0x…, or its key in RACKFAIR_PROVIDER_KEY',
  )
  if (!/^0x[0-9a-fA-F]{40}$/.test(provider)) throw new AppError('bad_request', `${provider} is not the address of a provider`)
  const before = file.gateway ?? {}
  const gateway = { ...before, ...(await placeAtEdges(options, { provider, before }, output)) }
  const publicHost = await need(
    options.ip ?? gateway.publicHost ?? (local ? LOCAL : undefined),
    'Address that buyers reach this machine at',
    undefined,
    'name the address that buyers reach this machine at: --ip',
  )
  requireIp(publicHost)
  const port = options.gatewayPort === undefined ? (gateway.port ?? DEFAULT_PORT) : portOf(options.gatewayPort)
  const domain = options.domain ?? gateway.domain
  const portRange = rangeOf(options.gatewayPortRange, gateway, port)
  const appPorts = appPortsOf(gateway.appPorts, port, portRange)
  const { dockerSocket, imageCache } = options
  const access = accessOf(options, chainId) ?? file.access
  const place = access ? { access, purses: file.purses } : await placeOfPlatforms(platforms, chainId, output)
  const purses = pursesOf(options, chainId) ?? place.purses
  return {
    ...file,
    instance: file.instance ?? newInstance(),
    chainId,
    rpcUrl,
    rpcFile,
    access: place.access,
    ...(purses ? { purses } : {}),
    provider: lowerCaseAddress(provider),
    operatorKeyFile: file.operatorKeyFile ?? join(dirname(options.config), 'operator.key'),
    platforms,
    gateway: {
      ...gateway,
      host: options.gatewayHost ?? gateway.host ?? (local ? LOCAL : '0.0.0.0'),
      port,
      publicHost,
      domain: domain || undefined,
      portRange,
      appPorts,
      sshPort: sshPortOf(gateway.sshPort, port, [portRange, appPorts]),
      tls: gateway.tls ?? false,
    },
    ...(dockerSocket ? { dockerSocket } : {}),
    ...metricsOf(file, local),
    ...(imageCache ? { imageCache } : {}),
    prepareImages: file.prepareImages ?? (local ? ['nginx', 'ubuntu', 'apache'] : []),
    stopWorkloadsOnExit: file.stopWorkloadsOnExit ?? local,
    overcommitDisk: file.overcommitDisk ?? local,
    ownImages: file.ownImages ?? OWN_IMAGES,
    oversell: options.oversell || (file.oversell ?? false),
    wipeAfterSeconds: file.wipeAfterSeconds ?? (local ? 5 : 60),
  }
}

/** A first `init` on a remote market exposes metrics to this machine alone; a setting that a person removed from the file stays out. */
const metricsOf = ({ metrics, instance }: z.infer<typeof configDraft>, local: boolean) => {
  if (metrics) return { metrics }
  return local || instance !== undefined ? {} : { metrics: { host: LOCAL, port: METRICS_PORT } }
}

function accessOf(options: InitOptions, chainId: number): LowerCaseAddress | undefined {
  if (options.access) return lowerCaseAddress(options.access)
  const access = (options.deployment === undefined ? deploymentOf(chainId) : deploymentIn(options.deployment))?.access
  return access ? lowerCaseAddress(access) : undefined
}

/** Those of the market that `accessOf` names. */
function pursesOf(options: InitOptions, chainId: number): LowerCaseAddress | undefined {
  if (options.purses) return lowerCaseAddress(options.purses)
  if (options.access) return undefined
  const deployment = options.deployment === undefined ? deploymentOf(chainId) : deploymentIn(options.deployment)
  return deployment?.purseFactory ? lowerCaseAddress(deployment.purseFactory) : undefined
}

function deploymentIn(deployment: string): { access: string; purseFactory?: string } {
  try {
    return JSON.parse(readFileSync(deployment, 'utf8')) as { access: string; purseFactory?: string }
  } catch (cause) {
    throw new AppError('bad_request', `${deployment} is not a deployment file: ${(cause as Error).message}`, { cause })
  }
}

const platformsText = (named: string | readonly string[] | undefined): string | undefined =>
  named === undefined ? undefined : [named].flat().join(',')

/** Several may be named, with commas between them. */
const platformsOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** On a chain unknown to this version, a platform that the provider chose names the Access contract: once, and with a message. */
async function placeOfPlatforms(platforms: readonly string[], chainId: number, output: Output) {
  const {
    chainId: there,
    access,
    purseFactory,
  } = await createApi({ baseUrl: platforms })
    .config()
    .catch((cause: unknown) => {
      throw new AppError(
        'not_deployed_on_chain',
        `the market is not known on chain ${chainId}, and ${platforms.join(', ')} does not say where it is; name its Access contract: --access`,
        { cause },
      )
    })
  if (there !== chainId)
    throw new AppError('wrong_chain', `${platforms.join(', ')} is a market on chain ${there}, not on ${chainId}`)
  output.say(`Access contract ${access}, as ${platforms.join(', ')} says; --access names another`)
  return { access: lowerCaseAddress(access), purses: purseFactory ? lowerCaseAddress(purseFactory) : undefined }
}

/** The web form requires the same. */
function requireIp(ip: string): void {
  if (!isIpAddress(ip)) throw new AppError('bad_request', `${ip} is not an IP address; a name belongs in --domain`)
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535)
    throw new AppError('bad_request', `${text} is not a port`)
  return Number(text)
}

/** One port for each of a hundred orders. */
const portsAbove = (port: number): [number, number] => (port > 65_435 ? [port - 100, port - 1] : [port + 1, port + 100])

/** The range from options or file; one that was only proposed moves along with the gateway. It never contains the gateway's port. */
function rangeOf(
  named: string | undefined,
  before: { port?: number | undefined; portRange?: [number, number] | null | undefined },
  port: number,
): [number, number] | null {
  const kept = before.portRange
  const proposed = before.port !== undefined && kept ? isDeepStrictEqual(kept, portsAbove(before.port)) : false
  const range = named === undefined ? (kept === undefined || proposed ? portsAbove(port) : kept) : portRangeOf(named)
  if (range && range[0] <= port && port <= range[1])
    throw new AppError(
      'bad_request',
      `the ports of orders, ${range.join(' to ')}, contain the gateway's own, ${port}; name others with --gateway-port-range`,
    )
  return range
}

/** Ports for applications' TCP and UDP: those of the file, else the next two hundred not used by the gateway. */
function appPortsOf(
  kept: [number, number] | null | undefined,
  port: number,
  range: [number, number] | null,
): [number, number] | null {
  const [first, last] = [Math.min(port, range?.[0] ?? port), Math.max(port, range?.[1] ?? port)]
  if (kept === null || (kept && (kept[1] < first || last < kept[0]))) return kept
  return last + 200 <= 65_535 ? [last + 1, last + 200] : [first - 200, first - 1]
}

/** The SSH port: that of the file, else the next one above all others. */
function sshPortOf(kept: number | null | undefined, port: number, ranges: readonly ([number, number] | null)[]): number | null {
  const isTaken = (one: number) => one === port || ranges.some((range) => range && range[0] <= one && one <= range[1])
  if (kept === null || (kept !== undefined && !isTaken(kept))) return kept
  const last = Math.max(port, ...ranges.map((range) => range?.[1] ?? 0))
  if (last < 65_535) return last + 1
  const first = Math.min(port, ...ranges.map((range) => range?.[0] ?? port))
  return first > 1024 ? first - 1 : null
}

function portRangeOf(text: string): [number, number] | null {
  if (text === 'none') return null
  const [from, to, more] = text.split('-')
  const range: [number, number] = [portOf(from ?? ''), portOf(to ?? '')]
  if (more !== undefined || range[0] > range[1])
    throw new AppError('bad_request', `${text} is not a range of ports such as 8000-8999, or none`)
  return range
}

/** The machine's host name, reduced to what is fit for display. */
export function machineName(): string {
  const name = hostname()
    .split('.')[0]
    ?.replace(/[^A-Za-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return name || 'provider'
}
