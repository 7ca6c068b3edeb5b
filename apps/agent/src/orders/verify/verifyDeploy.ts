import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { parseImage } from '@rackfair/app-spec/imageReference'
import { isPlainText } from '@rackfair/app-spec/plainText'
import type { Application as OwnSpec } from '@rackfair/app-spec/services/Application'
import { asSpec, parseApplicationText, valuesProblem } from '@rackfair/app-spec/services/applicationText'
import { type DeploymentRequest, deploymentRequest } from '@rackfair/protocol/deploymentRequests'
import { envText, parseDeployText, parseEnvText, type ReadDeployText } from '@rackfair/protocol/deployText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentCode } from '@rackfair/rules/errors/errorCodes'
import { isTerminal } from '@rackfair/rules/order/status'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import { fromBase64url, type KeyPairs, openRequest } from '@rackfair/sealed'
import { type Hex, keccak256, stringToBytes } from 'viem'
import { type ChainNode, type ChainOrder, type ChainView, isLive } from '../../chain/read/chainView.ts'
import type { AgentDb } from '../../db/openAgentDb.ts'
import type { createTokenBuckets } from '../../foundation/buckets.ts'
import { checkEnv } from '../../presets/checkEnv.ts'
import type { Application, Preset } from '../../presets/loadCatalog.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import type { OwnImages } from '../../runtime/ownImageRules.ts'

export const MAX_AGE_SECONDS = 300
export const MAX_AHEAD_SECONDS = 60

export interface VerifyContext {
  chain: ChainView
  provider: LowerCaseAddress
  state: AgentDb
  presets: ReadonlyMap<number, Preset>
  /** Whether an application can have an origin of its own here. */
  ownOrigins: boolean
  /** What renters may bring. */
  ownImages: OwnImages
  /** Whether applications can have TCP and UDP ports here. */
  appPorts: boolean
  /** Why no application is put behind gVisor here; undefined where it can be. */
  whyNoGvisor: string | undefined
  /** Why an order has one container only here; undefined where it may have several. */
  whyNoServices: string | undefined
  /** No two services of an order can listen at the same port here. */
  sharesPorts: boolean
  /** What environment values are sealed to. */
  keys: KeyPairs
  /** The platform that the request came through. */
  platform?: string
  /** Requests that reach a signature check or the chain, per platform and order, and per platform in all. */
  perOrder: ReturnType<typeof createTokenBuckets>
  overall: ReturnType<typeof createTokenBuckets>
  /** Unix seconds of this machine. */
  now: () => number
}

export interface VerifiedDeploy {
  text: ReadDeployText
  textHash: string
  order: ChainOrder
  node: ChainNode
  /** Undefined for a clean. */
  preset: Application | undefined
  /** Settings of a preset, or the secret values of an own application. */
  env: Record<string, string>
  /** What an own application is, as it was signed. */
  app: string | undefined
}

/**
 * Decides alone whether a request is what the order's user wants now: text, time, replay, then the signature, then the order on
 * chain. Cheap checks come first, so that a flood costs little. The platform's word counts for nothing.
 * @throws AppError with an AgentCode.
 */
export async function verifyDeploy(raw: unknown, context: VerifyContext): Promise<VerifiedDeploy> {
  const { chain, state } = context
  const { request, text } = readRequest(raw, context)
  const textHash = hashOf(request.text)
  if (state.wasAccepted(textHash)) throw refuse('text_replayed', 'this text was used before')
  if (text.time <= state.lastTime(text.orderId))
    throw refuse('text_out_of_order', 'a later request of this order was accepted before')

  const isOwn = text.deployId === OWN_APP_DEPLOY_ID
  const isClean = text.deployId === CLEAN_DEPLOY_ID
  const listed = isOwn || isClean ? undefined : context.presets.get(text.deployId)
  const spec = isOwn ? specOf(text, request, context) : undefined
  const preset = spec ? ownApplication(spec, {}) : listed
  if (!isOwn && request.app !== undefined) throw refuse('app_malformed', 'only an application of your own has a specification')
  if (!isClean && !preset) throw refuse('preset_unknown', `there is no preset ${text.deployId}`)
  if (preset?.wire.access === 'owner' && !context.ownOrigins)
    throw refuse('preset_needs_origin', 'this provider has no address of its own for each order')
  if (!context.appPorts && preset && portsOf(preset).some(({ protocol }) => protocol !== 'http'))
    throw refuse('port_unavailable', 'this provider offers no TCP or UDP ports')
  if (!preset && request.sealed !== undefined) throw refuse('env_not_allowed', 'a clean takes no environment values')

  await requireSigned(text, request, context)
  const given = await openValues(text, request, context.keys)
  if (spec) checkSecrets(spec, given)
  const env = listed ? checkEnv(listed, given) : given

  const [head, order] = await Promise.all([chain.head(), chain.order(text.orderId)])
  if (!order) throw refuse('order_not_found', `there is no order ${text.orderId}`)
  if (order.provider !== context.provider) throw refuse('wrong_provider', 'the order is with another provider')
  if (order.user !== text.wallet) throw refuse('order_not_owned', 'the order belongs to another wallet')
  if (!isLive(order, head.timestamp))
    throw isTerminal(order.status)
      ? refuse('order_not_active', 'the order is not active')
      : refuse('order_expired', 'the order has ended, or was not started in time')

  const node = await chain.node(order.nodeId)
  if (node.orderId !== order.id) throw refuse('order_not_active', 'the node is not held by this order')
  if (preset) requireFit(preset, order, node)
  if (spec?.sandbox && order.nGPU > 0) throw refuse('runtime_refused', 'an application behind gVisor has no GPU')
  return { text, textHash, order, node, preset, env, app: request.app }
}

/**
 * A request that is meant for this agent and was signed just now. Whether by whom it says is checked by `requireSigned`.
 * @throws AppError with an AgentCode.
 */
export function readRequest(raw: unknown, context: VerifyContext): { request: DeploymentRequest; text: ReadDeployText } {
  const request = parseRequest(raw)
  const text = parseDeployText(request.text)
  if (!text) throw refuse('text_malformed', 'the signed text does not have the exact form')
  if (text.chainId !== context.chain.chainId) throw refuse('wrong_chain', `the text is for chain ${text.chainId}`)
  if (text.provider !== context.provider) throw refuse('wrong_provider', 'the text is for another provider')
  const now = context.now()
  if (text.time < now - MAX_AGE_SECONDS) throw refuse('text_too_old', `the text is older than ${MAX_AGE_SECONDS} s`)
  if (text.time > now + MAX_AHEAD_SECONDS) throw refuse('text_in_future', 'the text is from the future; check the clock')
  return { request, text }
}

/** Checks the signature, unless too many are to be checked. @throws AppError `agent_busy` (retryable), `wrong_signer` */
export async function requireSigned(
  { wallet, orderId }: ReadDeployText,
  { text, signature }: DeploymentRequest,
  { chain, perOrder, overall, platform = '' }: VerifyContext,
): Promise<void> {
  if (!perOrder.take(`${platform} ${orderId}`) || !overall.take(platform))
    throw refuse('agent_busy', 'too many requests; try again in a moment', true)
  const signed = await chain.signedBy(wallet, text, signature as Hex)
  if (!signed) throw refuse('wrong_signer', 'the signature is not of the wallet in the text')
}
/** What a request is known by. */
export const hashOf = (text: string): Hex => keccak256(stringToBytes(text))

function parseRequest(raw: unknown): DeploymentRequest {
  const parsed = deploymentRequest.safeParse(raw)
  if (!parsed.success) throw refuse('text_malformed', parsed.error.issues[0]?.message ?? 'malformed')
  return parsed.data
}

/** The environment values that were signed, out of what only this agent opens. */
async function openValues(
  { envHash }: ReadDeployText,
  { text, sealed }: DeploymentRequest,
  keys: KeyPairs,
): Promise<Readonly<Record<string, string>>> {
  if ((envHash === undefined) !== (sealed === undefined))
    throw refuse('env_not_allowed', 'the environment values are not those that were signed')
  if (sealed === undefined) return {}
  const plain = await openSealed(keys, sealed, text)
  if (plain === undefined)
    throw refuse('secrets_unreadable', 'the environment values were sealed to another key or another text; sign again')
  // What is no UTF-8 has another hash.
  const values = parseEnvText(new TextDecoder().decode(plain))
  if (!values || envHash !== keccak256(stringToBytes(envText(values))))
    throw refuse('env_not_allowed', 'the environment values are not those that were signed')
  return values.env
}

async function openSealed(keys: KeyPairs, sealed: string, text: string) {
  try {
    return await openRequest(keys, fromBase64url(sealed), text)
  } catch {
    return undefined
  }
}

function checkSecrets(spec: OwnSpec, given: Readonly<Record<string, string>>): void {
  const problem = valuesProblem(spec, given)
  if (problem !== undefined) throw refuse('env_not_allowed', problem)
  if (Object.values(given).some((value) => !isPlainText(value)))
    throw refuse('env_not_allowed', 'a value holds a control character or half of one')
}

/** An application of the renter's own: exactly what was signed, as far as it is taken here. */
function specOf(
  { appHash }: ReadDeployText,
  request: DeploymentRequest,
  { ownImages, whyNoGvisor, whyNoServices, sharesPorts }: VerifyContext,
): OwnSpec {
  if (request.app === undefined || appHash !== keccak256(stringToBytes(request.app)))
    throw refuse('app_malformed', 'the application is not the one that was signed')
  const spec = parseApplicationText(request.app)
  if (!spec) throw refuse('app_malformed', 'the specification of the application does not have the exact form')
  const { offered, registries } = ownImages
  if (!offered) throw refuse('own_images_refused', 'this provider takes only applications of the catalogue')
  const foreign = spec.services.some(({ image }) => !registries?.includes(parseImage(image)?.registry ?? ''))
  if (registries && foreign) throw refuse('own_images_refused', `this provider takes only images from ${registries.join(', ')}`)
  if (spec.sandbox && whyNoGvisor !== undefined)
    throw refuse('runtime_refused', `this provider cannot start a container behind gVisor: ${whyNoGvisor}`)
  if (whyNoServices !== undefined && asSpec(spec) === undefined)
    throw refuse('runtime_refused', `this provider runs one container for each order: ${whyNoServices}`)
  const clash = sharesPorts ? clashOf(spec) : undefined
  if (clash) {
    const { port, services } = clash
    const why = "on this provider's cluster the services of an order share their network"
    throw refuse('port_clash', `${services.join(' and ')} both listen at port ${port}: ${why}. Give one of them another port`)
  }
  return spec
}

/** Two services that listen at the same port. */
function clashOf({ services }: OwnSpec): { port: number; services: [string, string] } | undefined {
  const taken = new Map<string, string>()
  for (const { name, ports } of services)
    for (const { protocol, port } of ports) {
      const key = `${protocol === 'udp' ? 'udp' : 'tcp'} ${port}`
      const other = taken.get(key)
      if (other !== undefined && other !== name) return { port, services: [other, name] }
      taken.set(key, name)
    }
  return undefined
}

const portsOf = ({
  app,
  services = [{ app }],
}: Pick<Application, 'app'> & { services?: readonly { app: Application['app'] }[] }) => services.flatMap((one) => one.app.ports)

function requireFit(preset: Application, order: ChainOrder, node: ChainNode): void {
  const { requests } = preset.app
  const lacks =
    (requests.gpus > order.nGPU && `${requests.gpus} GPU`) ||
    (requests.cpu > order.nCPU * node.core && `${requests.cpu} cores`) ||
    (requests.memoryBytes > order.nMEM * 2 ** 30 && `${Math.ceil(requests.memoryBytes / 2 ** 30)} GB of memory`) ||
    (requests.diskBytes > order.nDISK * 1e9 * 1.08 && `${Math.ceil(requests.diskBytes / 1e9)} GB of storage`)
  if (lacks)
    throw new AppError<AgentCode>('preset_does_not_fit', `${preset.wire.title} needs ${lacks}, more than this node has`, {
      facts: { preset: preset.wire.title, needs: lacks },
    })
}

function refuse(code: AgentCode, message: string, retryable = false): AppError<AgentCode> {
  return new AppError<AgentCode>(code, message, { retryable })
}
