import type { ChainOrder } from '../../chain/read/chainView.ts'
import type { Command } from '../../db/openAgentDb.ts'
import type { Application, Service } from '../../presets/loadCatalog.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { WorkloadState } from '../../runtime/Runtime.ts'

/** An order whose application should run, with what this reconciliation observed. */
export interface Run {
  command: Command
  order: ChainOrder
  application: Application
  workload: WorkloadState | undefined
  gpus: readonly Gpu[]
  /** Of several services, each with its container. */
  services: readonly { service: Service; there: WorkloadState | undefined }[]
}

/** `superseded`: the wanted state has changed meanwhile, and the rest of the plan is void. */
// biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing.
export type Step = () => void | 'superseded' | undefined | Promise<void | 'superseded' | undefined>

/** What the steps need from the loop that runs them. */
export interface Control {
  stopped: () => boolean
  flushOutbox: () => void
  scheduleReconcile: (orderId: bigint) => void
}
