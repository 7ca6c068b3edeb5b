import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { PowerAction } from '@rackfair/protocol/workspaceRequests'
import type { OrderNotes } from '../../orders/orderNotes.ts'
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
  /** The folders of the order's disk, as its application sees them. */
  foldersOf: (orderId: bigint) => readonly string[]
  terminalIdleMs: number
  ssh: WorkspaceHandler
  machines: MachinesOptions
  deploymentsOf: (orderId: bigint) => readonly DeploymentWire[]
  power: (orderId: bigint, action: PowerAction) => Promise<void>
}

/** Everything a renter may open on an order, each kind in a room of its own, and what the provider may. Who may open it was decided before. */
export function createWorkspaceHandlers({
  runtime,
  notes,
  usage,
  foldersOf,
  terminalIdleMs,
  ssh,
  deploymentsOf,
  power,
  machines,
}: HandlersOptions): {
  handlers: WorkspaceHandlers
  /** On `MACHINES`. */
  ofProvider: Readonly<Record<string, WorkspaceHandler>>
  close(): void
} {
  const terminals = createTerminals({
    open: runtime.terminal,
    isRunning: async (orderId) => (await runtime.find(orderId))?.running === true,
    idleMs: terminalIdleMs,
  })
  return {
    handlers: {
      logs: createLogsHandler({ output: runtime.output, notes: notes.source }),
      usage: createUsageHandler(usage),
      terminal: terminals.handler,
      exec: createExecHandler({ exec: runtime.exec }),
      ssh,
      files: createFilesHandler({ fileServer: runtime.fileServer, foldersOf }),
      power: createPowerHandler(power),
      events: createEventsHandler(deploymentsOf),
    },
    ofProvider: { machines: createMachinesHandler(machines) },
    close: terminals.close,
  }
}
