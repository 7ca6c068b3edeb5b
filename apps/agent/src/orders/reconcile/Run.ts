import type { ChainOrder } from '../../chain/chainView.ts'
import type { Gpu } from '../../gpu/detectGpus.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { WorkloadState } from '../../runtime/Runtime.ts'
import type { Command } from '../openAgentDb.ts'

/** An order whose application is to run, with what this reconciliation observed. */
export interface Run {
  command: Command
  order: ChainOrder
  application: Application
  workload: WorkloadState | undefined
  gpus: readonly Gpu[]
}

/** `superseded`: something else is wanted of the order by now, and the rest of the plan is void. */
// biome-ignore lint/suspicious/noConfusingVoidType: a step mostly has nothing to say.
export type Step = () => void | 'superseded' | undefined | Promise<void | 'superseded' | undefined>

/** What the steps ask of the loop that runs them. */
export interface Control {
  stopped: () => boolean
  flushOutbox: () => void
  scheduleReconcile: (orderId: bigint) => void
}
