import type { Address } from 'viem'
import { type Deployable, type DeployOptions, deployApp } from '../deploy/deployApp.ts'
import type { Renter } from '../market/connectMarket.ts'
import { type Bought, type BuyOptions, buyOrder, type Purchase } from '../order/buyOrder.ts'
import { type Cancelled, cancelOrder } from '../order/cancelOrder.ts'
import { download } from './copy.ts'
import { type ExecOptions, exec } from './exec.ts'
import { openWorkspace } from './openWorkspace.ts'
import type { Workspace } from './Workspace.ts'

export interface Job {
  /** A machine to buy, or an order that is there. */
  on: Purchase | { orderId: bigint }
  /** What the command runs in. An own application needs a program that stays, `sleep infinity` for example. */
  app: Deployable
  command: readonly string[]
  /** Files to get when the command has ended; folders come as a tar. */
  outputs?: Readonly<Record<string, (bytes: Uint8Array) => void | Promise<void>>>
}

export interface RunJobOptions extends Pick<ExecOptions, 'onStdout' | 'onStderr' | 'input' | 'workingDir'> {
  env?: DeployOptions['env']
  onProgress?: DeployOptions['onProgress']
  onSent?: BuyOptions['onSent']
  /** Told of what was paid and of what came back as soon as it is so. */
  onBought?: (bought: Bought) => void
  onCancelled?: (cancelled: Cancelled) => void
  maxPriceWei?: bigint
  /** What was bought for the job is not cancelled after it. */
  keep?: boolean
  /** Ends the job; what was bought for it is cancelled all the same. */
  signal?: AbortSignal
}

export interface JobResult {
  orderId: bigint
  exitCode: number
  bought: Bought | undefined
  /** Undefined for an order that was there before, and with `keep`. */
  cancelled: Cancelled | undefined
}

/**
 * Buys a machine, deploys, runs one command to its end, gets its outputs, and cancels for the rest of the money. However it ends, an order
 * that was bought for it is cancelled, unless `keep` says otherwise. The command ends with its connection: a job that may not be
 * interrupted writes what it has to the order's disk.
 *
 * @throws AppError of the step that failed, as `buyOrder`, `deployApp` and `exec`.
 * @example const { exitCode } = await runJob(renter, { on: { provider, nodeId: 1, months: 1 }, app: { preset: 'ubuntu' }, command: ['sh', '-c', 'make test'] })
 */
export async function runJob(renter: Renter, job: Job, options: RunJobOptions = {}): Promise<JobResult> {
  const { keep = false, signal, onSent, maxPriceWei, onProgress, env } = options
  const bought =
    'orderId' in job.on
      ? undefined
      : await buyOrder(renter, job.on as Purchase & { provider: Address }, { maxPriceWei, signal, ...(onSent ? { onSent } : {}) })
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
    const deploying = { minBlock: bought?.block, signal, ...(env ? { env } : {}), ...(onProgress ? { onProgress } : {}) }
    await deployApp(renter, orderId, job.app, deploying)
    workspace = await openWorkspace(renter, orderId)
    exitCode = await exec(workspace, job.command, options)
    for (const [path, onBytes] of Object.entries(job.outputs ?? {})) await download(workspace, path, { onBytes, signal })
  } catch (error) {
    workspace?.close()
    // What failed first is what is told; an order that stays is seen in the list of orders.
    await cancel().catch(() => undefined)
    throw error
  }
  workspace.close()
  return { orderId, exitCode, bought, cancelled: await cancel() }
}
