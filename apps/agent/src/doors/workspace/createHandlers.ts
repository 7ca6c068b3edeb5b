import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { PowerAction } from '@rackfair/protocol/workspaceRequests'
import type { OrderNotes } from '../../orders/orderNotes.ts'
import type { RunSpec } from '../../runtime/RunSpec.ts'
import type { Runtime } from '../../runtime/Runtime.ts'
import { createEventsHandler } from './events/serveEvents.ts'
import { createExecHandler } from './exec/serveExec.ts'
import { createFilesHandler } from './files/serveFiles.ts'
import { createLogsHandler } from './logs/serveLogs.ts'
import { createMachinesHandler, type MachinesOptions } from './machines/serveMachines.ts'
import { createPowerHandler } from './power/servePower.ts'
import { createTerminals } from './terminal/createTerminals.ts'
import { createUsageHandler, type UsageOptions } from './usage/serveUsage.ts'
import type { WorkspaceHandler, WorkspaceHandlers } from './WorkspaceChannel.ts'

export interface HandlersOptions {
  runtime: Runtime
  notes: OrderNotes
  usage: UsageOptions
  /**
   * One of the services of an order, the main one without a name. Throws AppError `service_unknown`.
   */
  serviceOf: (orderId: bigint, name?: string) => RunSpec | undefined
  terminalIdleMs: number
  ssh: WorkspaceHandler
  domains: WorkspaceHandler
  machines: MachinesOptions
  deploymentsOf: (orderId: bigint) => readonly DeploymentWire[]
  power: (orderId: bigint, action: PowerAction, service?: string) => Promise<void>
}

/** Everything a renter may open on an order, each kind in a room of its own, and what the provider may. Who may open it was decided before. */
export function createWorkspaceHandlers({
  runtime,
  notes,
  usage,
  serviceOf,
  terminalIdleMs,
  ssh,
  domains,
  deploymentsOf,
  power,
  machines,
}: HandlersOptions): {
  handlers: WorkspaceHandlers
  /** On `MACHINES`. */
  ofProvider: Readonly<Record<string, WorkspaceHandler>>
  close(): void
} {
  /** What the runtime calls it. */
  const keyOf = (orderId: bigint, name: string | undefined) => serviceOf(orderId, name)?.service?.key
  const terminals = createTerminals({
    open: (orderId, command, size, service) => runtime.terminal(orderId, command, size, keyOf(orderId, service)),
    isRunning: async (orderId, service) => (await runtime.find(orderId, keyOf(orderId, service)))?.running === true,
    idleMs: terminalIdleMs,
  })
  return {
    handlers: {
      logs: createLogsHandler({
        output: (orderId, service) => runtime.output(orderId, keyOf(orderId, service)),
        notes: notes.source,
      }),
      usage: createUsageHandler({ ...usage, keyOf }),
      terminal: terminals.handler,
      exec: createExecHandler({
        exec: (orderId, command, { service, ...how }) =>
          runtime.exec(orderId, command, { ...how, service: keyOf(orderId, service) }),
      }),
      ssh,
      domains,
      files: createFilesHandler({
        fileServer: (orderId, service) => runtime.fileServer(orderId, keyOf(orderId, service)),
        foldersOf: (orderId, service) => serviceOf(orderId, service)?.volumes.map(({ path }) => path) ?? [],
      }),
      power: createPowerHandler(power),
      events: createEventsHandler(deploymentsOf),
    },
    ofProvider: { machines: createMachinesHandler(machines) },
    close: terminals.close,
  }
}
