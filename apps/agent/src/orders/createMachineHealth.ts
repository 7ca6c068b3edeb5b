import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentDb } from '../db/openAgentDb.ts'
import type { AgentTimes } from '../foundation/times.ts'

/** Fact with the orders whose applications this machine fails to run, so that a restart of the agent does not hide them. */
const FAULTS = 'machineFaults'

export type MachineHealth = ReturnType<typeof createMachineHealth>

/** What is wrong with this machine, as its provider answers for it. What runs on it, and how, is up to its renters. */
export function createMachineHealth({
  state,
  times,
}: {
  state: Pick<AgentDb, 'fact' | 'putFact'>
  times: Pick<AgentTimes, 'engineAwayMs'>
}) {
  /** By order: the deployment that this machine fails to run. The next one is another matter. */
  const faults = new Map(JSON.parse(state.fact(FAULTS) ?? '[]') as [orderId: string, deploymentId: string][])
  let areWallsDown = false
  let awaySince: number | undefined

  return {
    /** Notes the outcome of a check of engine and walls; undefined if all is well. */
    checked(error: unknown): void {
      areWallsDown = error instanceof AppError && error.code === 'isolation_unavailable'
      awaySince = error === undefined || areWallsDown ? undefined : (awaySince ?? performance.now())
    },
    /** Notes the deployment of an order that this machine fails to run; undefined if there is none. */
    note(orderId: bigint, failing: string | undefined): void {
      const key = String(orderId)
      if (faults.get(key) === failing) return
      if (failing === undefined) faults.delete(key)
      else faults.set(key, failing)
      state.putFact(FAULTS, JSON.stringify([...faults]))
    },
    /**
     * Whether the machine is well for an order and its deployment, if it has one; `isReachable` if that was last seen running. What runs goes
     * on while the engine is away, but not for longer than a start waits for it: nobody can start, stop or enter it meanwhile.
     */
    isWell(orderId: bigint, deploymentId: string | undefined, isReachable: boolean): boolean {
      if (areWallsDown || (deploymentId !== undefined && faults.get(String(orderId)) === deploymentId)) return false
      return awaySince === undefined || (isReachable && performance.now() - awaySince < times.engineAwayMs)
    },
  }
}
