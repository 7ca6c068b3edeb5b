import { type AppSpec, OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { type Application, asApplication } from '@rackfair/app-spec/services/Application'
import { applicationText, valuesProblem } from '@rackfair/app-spec/services/applicationText'
import { readDeployment } from '@rackfair/protocol/deployments'
import { formatDeployText } from '@rackfair/protocol/deployText'
import { readOrder } from '@rackfair/protocol/orders'
import type { Deployment, DeploymentDetails } from '@rackfair/rules/deployment/deployment'
import { type DeploymentPhase, PHASES } from '@rackfair/rules/deployment/phase'
import { visitLink } from '@rackfair/rules/deployment/visitUrl'
import { CLEAN_DEPLOY_ID, PRESET_IDS, type PresetName } from '@rackfair/rules/presets'
import { keccak256, toHex } from 'viem'
import { appError } from '../errors/appError.ts'
import type { ErrorCode } from '../errors/ErrorCode.ts'
import type { Renter } from '../market/connectMarket.ts'
import { pause } from '../pause.ts'
import { signAsUser, userOf } from '../purse/asUser.ts'
import { serverSeconds } from '../serverClock.ts'
import { checkAnnouncedKeys } from '../workspace/findAgent.ts'
import { sealDeployText } from './sealDeployText.ts'

/** What to deploy on an order: an application of the catalogue by its name, or one of the renter's own, of one container or of several services. */
export type Deployable = { preset: PresetName } | { app: AppSpec } | { application: Application }

export interface DeployOptions {
  /** Settings of a preset, or the secret values of an own application. Sealed to the provider's agent. */
  env?: Readonly<Record<string, string>>
  /**
   * A name of this deployment on its order: called again with it, the deployment of the first call is followed, whatever happened to the
   * program meanwhile, also if it has failed or was replaced. A request that the agent never accepted does not count.
   */
  once?: string | undefined
  /** Called with each state as it is observed. */
  onProgress?: (progress: DeployProgress) => void
  /** Block of one's own purchase, so that the platform has indexed the order. */
  minBlock?: bigint | undefined
  /** Stops waiting; the deployment continues. */
  signal?: AbortSignal | undefined
}

export interface DeployProgress {
  phase: DeploymentPhase
  /** The agent's message; untrusted text. */
  message: string | undefined
  details: DeploymentDetails | undefined
}

export interface Deployed {
  id: string
  orderId: bigint
  phase: DeploymentPhase
  /** Where to open the application, at the provider's own address; undefined if it has no page. */
  visitUrl: string | undefined
  details: DeploymentDetails | undefined
}

const FIRST_POLL_MS = 100
const MAX_POLL_MS = 1_000

/**
 * Deploys on an order and waits until the application is running.
 *
 * @throws AppError with the agent's code if it refuses or fails (`image_not_found`, `preset_does_not_fit`, `start_failed`, ...),
 * `env_not_allowed` if secret values are missing, `once_taken` if the name stands for another application, `platform_unreachable` (retryable).
 * @example const { visitUrl } = await deployApp(renter, 12n, { preset: 'nginx' })
 */
export async function deployApp(
  renter: Renter,
  orderId: bigint,
  what: Deployable,
  options: DeployOptions = {},
): Promise<Deployed> {
  const { env = {} } = options
  const application = 'application' in what ? what.application : 'app' in what ? asApplication(what.app) : undefined
  const problem = application && valuesProblem(application, env)
  if (problem !== undefined) throw appError('env_not_allowed', problem)
  const app = application && applicationText(application)
  const deployId = 'preset' in what ? PRESET_IDS[what.preset] : OWN_APP_DEPLOY_ID
  const sent = await request(renter, orderId, deployId, env, app, options)
  const ended = await followDeployment(renter, sent, options)
  const order = readOrder(await renter.api.order(String(orderId)))
  return {
    ...{ id: ended.id, orderId, phase: ended.phase, details: ended.details },
    visitUrl: ended.visitUrl === null ? undefined : visitLink(order, ended.visitUrl),
  }
}

/**
 * Removes the application of an order with its data, and waits until it is gone.
 * @throws AppError as `deployApp`.
 * @example await cleanOrder(renter, 12n)
 */
export async function cleanOrder(renter: Renter, orderId: bigint, options: Omit<DeployOptions, 'env'> = {}): Promise<void> {
  await followDeployment(renter, await request(renter, orderId, CLEAN_DEPLOY_ID, {}, undefined, options), options)
}

/** Signs and submits the request. The timestamps of one order's requests are whole seconds and strictly increase. */
async function request(
  renter: Renter,
  orderId: bigint,
  deployId: number,
  env: Readonly<Record<string, string>>,
  app: string | undefined,
  { minBlock, signal, once }: DeployOptions,
): Promise<Deployment> {
  const { api, chainId } = renter
  const { provider } = readOrder(await api.order(String(orderId), minBlock === undefined ? {} : { minBlock }))
  const latest = await api.orderDeployment(String(orderId)).then(readDeployment, (error: { code?: string }) => {
    if (error.code === 'not_found') return undefined
    throw error
  })
  const after = latest === undefined ? 0 : Math.floor(latest.requestedAt / 1000)
  while (serverSeconds() <= after && serverSeconds() > after - 5) await pause(50, signal)
  const withEnv = Object.keys(env).length > 0
  const keys = withEnv ? await checkAnnouncedKeys(renter, provider, await api.workspacePlace(provider)) : undefined
  const facts = {
    ...{ orderId, deployId, chainId, provider, wallet: userOf(renter) },
    time: serverSeconds(),
    ...(app === undefined ? {} : { appHash: keccak256(toHex(app)) }),
    ...(once === undefined ? {} : { onceHash: keccak256(toHex(once)) }),
  }
  const { text, sealed } = keys ? await sealDeployText(facts, env, keys) : { text: formatDeployText(facts), sealed: undefined }
  signal?.throwIfAborted()
  const signature = await signAsUser(renter, text)
  return readDeployment(
    await api.deploy({ text, signature, ...(sealed === undefined ? {} : { sealed }), ...(app === undefined ? {} : { app }) }),
  )
}

/** Another platform than the one that was asked knows a deployment from the agent's next word about it. */
async function readAgain({ api }: Renter, latest: Deployment, signal: AbortSignal | undefined): Promise<Deployment> {
  try {
    return readDeployment(await api.deployment(latest.id, signal ? { signal } : {}))
  } catch (error) {
    if ((error as { code?: unknown }).code === 'not_found' && PHASES[latest.phase].busy) return latest
    throw error
  }
}

/** Follows a deployment until it is no longer in progress. @throws AppError as `deployApp` if it failed */
export async function followDeployment(
  renter: Renter,
  sent: Deployment,
  { onProgress, signal }: Pick<DeployOptions, 'onProgress' | 'signal'>,
): Promise<Deployment> {
  let pollMs = FIRST_POLL_MS
  let told = ''
  for (let latest = sent; ; latest = await readAgain(renter, latest, signal)) {
    const step = latest.steps.at(-1)
    const progress = { phase: latest.phase, message: step?.message, details: latest.details }
    const now = JSON.stringify(progress)
    if (now !== told) onProgress?.(progress)
    told = now
    if (latest.phase === 'Failed' || latest.phase === 'Closed')
      throw appError((step?.code as ErrorCode | undefined) ?? 'order_not_active', step?.message ?? 'the order is closed')
    if (!PHASES[latest.phase].busy) return latest
    await pause(pollMs, signal)
    pollMs = Math.min(MAX_POLL_MS, pollMs * 1.25)
  }
}
