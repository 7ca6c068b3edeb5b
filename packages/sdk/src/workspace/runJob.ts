import type { AppSpec } from '@rackfair/app-spec/AppSpec'
import { readDeployment } from '@rackfair/protocol/deployments'
import type { LogLine } from '@rackfair/protocol/logLines'
import { PHASES } from '@rackfair/rules/deployment/phase'
import type { PresetName } from '@rackfair/rules/presets'
import { type DeployOptions, deployApp } from '../deploy/deployApp.ts'
import { appError } from '../errors/appError.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { Renter } from '../market/connectMarket.ts'
import { type Bought, type BuyOptions, buyOrder, type Purchase, type Term } from '../order/buyOrder.ts'
import { type Cancelled, cancelOrder } from '../order/cancelOrder.ts'
import { pause } from '../pause.ts'
import { download } from './copy.ts'
import { type ExecOptions, exec } from './exec.ts'
import { logs } from './logs.ts'
import { openWorkspace } from './openWorkspace.ts'
import type { Workspace } from './Workspace.ts'

export type Job = {
  /** A machine to buy, or an existing order. */
  on: (Purchase & Term) | { orderId: bigint }
  /** Files to download once the job has ended; folders are sent as a tar. */
  outputs?: Readonly<Record<string, (bytes: Uint8Array) => void | Promise<void>>>
} & (
  | {
      /** Where the command runs. It ends with its connection. */
      app: { preset: PresetName }
      command: readonly string[]
    }
  | {
      /** Runs to its end on the machine, whether or not a client is connected. */
      app: { app: AppSpec }
      /** Overrides the command of the specification. */
      command?: readonly string[]
    }
)

export interface RunJobOptions extends Pick<ExecOptions, 'onStdout' | 'onStderr' | 'input' | 'workingDir'> {
  env?: DeployOptions['env']
  onProgress?: DeployOptions['onProgress']
  onSent?: BuyOptions['onSent']
  /** Called with the purchase and the refund as soon as each is made. */
  onBought?: (bought: Bought) => void
  onCancelled?: (cancelled: Cancelled) => void
  maxPriceWei?: bigint
  /**
   * Refuses a machine whose hardware monitors have not verified to this level, before anything is paid. Does not apply to an existing
   * order.
   */
  hardware?: BuyOptions['hardware']
  /** Does not cancel the purchase after the job. */
  keep?: boolean
  /** Ends the job; what was bought for it is still cancelled. */
  signal?: AbortSignal
}

export interface JobResult {
  orderId: bigint
  exitCode: number
  bought: Bought | undefined
  /** Undefined for an existing order, and with `keep`. */
  cancelled: Cancelled | undefined
}

/**
 * Buys a machine, deploys, runs one command to its end, downloads its outputs, and cancels for a refund of the rest. However the job ends,
 * an order bought for it is cancelled, unless `keep` is set. An application of the renter's own is supervised by the machine itself, so the
 * job survives a lost connection. `input` and `workingDir` are for a preset.
 *
 * @throws AppError of the step that failed, as `buyOrder`, `deployApp` and `exec`.
 * @example const { exitCode } = await runJob(renter, { on: { provider, nodeId: 1, term: '1h' }, app: { preset: 'ubuntu' }, command: ['sh', '-c', 'make test'] })
 */
export async function runJob(renter: Renter, job: Job, options: RunJobOptions = {}): Promise<JobResult> {
  const { keep = false, signal, onSent, maxPriceWei, hardware } = options
  // A machine of a list also names its latest order.
  const bought =
    'months' in job.on || 'term' in job.on
      ? await buyOrder(renter, job.on, { ...{ maxPriceWei, hardware, signal }, ...(onSent ? { onSent } : {}) })
      : undefined
  const orderId = bought?.orderId ?? (job.on as { orderId: bigint }).orderId
  const cancels = bought !== undefined && !keep
  if (bought) options.onBought?.(bought)
  const cancel = async () => {
    if (!cancels) return undefined
    const cancelled = await cancelOrder(renter, orderId, onSent ? { onSent } : {})
    options.onCancelled?.(cancelled)
    return cancelled
  }
  let workspace: Workspace | undefined
  let exitCode: number
  try {
    const { env, onProgress } = options
    const deploying = { minBlock: bought?.block, signal, ...(env ? { env } : {}), ...(onProgress ? { onProgress } : {}) }
    if ('app' in job.app) {
      const spec: AppSpec = { ...job.app.app, ...(job.command ? { command: job.command } : {}), job: cancels ? 'cancel' : 'keep' }
      const { id } = await deployApp(renter, orderId, { app: spec }, deploying)
      workspace = await openWorkspace(renter, orderId)
      exitCode = await followJob(renter, id, workspace, options)
    } else {
      await deployApp(renter, orderId, job.app, deploying)
      workspace = await openWorkspace(renter, orderId)
      exitCode = await exec(workspace, job.command ?? [], options)
    }
    for (const [path, onBytes] of Object.entries(job.outputs ?? {})) await download(workspace, path, { onBytes, signal })
  } catch (error) {
    workspace?.close()
    // The first failure is reported; an order that could not be cancelled shows in the list of orders.
    await cancel().catch(() => undefined)
    throw error
  }
  workspace.close()
  return { orderId, exitCode, bought, cancelled: await cancel() }
}

const MIN_POLL_MS = 200
const MAX_POLL_MS = 2_000
const NEWLINE = new Uint8Array([10])

/** Forwards a job's output until its machine reports the end, tolerating an unreachable platform or agent meanwhile. */
async function followJob(
  renter: Renter,
  deploymentId: string,
  workspace: Workspace,
  { onStdout, onStderr, signal }: RunJobOptions,
): Promise<number> {
  let cursor: string | undefined
  const write = async ({ source, bytes, more }: LogLine) => {
    const to = source === 'stdout' ? onStdout : source === 'stderr' ? onStderr : undefined
    await to?.(bytes)
    if (!more) await to?.(NEWLINE)
  }
  for (let pollMs = MIN_POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, pollMs * 1.25)) {
    try {
      // Read before the logs: if it says that the job has ended, the logs are complete.
      const { phase, details, steps } = readDeployment(await renter.api.deployment(deploymentId, signal ? { signal } : {}))
      for await (const line of logs(workspace, { ...(cursor === undefined ? {} : { cursor }), signal })) {
        await write(line)
        cursor = line.cursor ?? cursor
      }
      if (phase === 'Finished' && details?.exit) return details.exit.code
      if (PHASES[phase].ended || phase === 'Cleaning')
        throw appError('order_not_active', steps.at(-1)?.message ?? 'the job was taken away before it ended')
    } catch (cause) {
      signal?.throwIfAborted()
      const error = toAppError(cause)
      if (!error.retryable) throw error
    }
    await pause(pollMs, signal)
  }
}
