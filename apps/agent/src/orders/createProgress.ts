import type { DeploymentDetails, DeploymentWire } from '@rackfair/protocol/deployments'
import { type DeploymentPhase, PHASES } from '@rackfair/rules/deployment/phase'
import type { Command } from '../db/openAgentDb.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

const MAX_STEPS = 100
const MAX_MESSAGE_LENGTH = 1000
const MAX_LINE_LENGTH = 200
const LINE_PAUSE_MS = 500

export type Progress = ReturnType<typeof createProgress>

/** Keeps the steps of each deployment and reports every new one to the platform. Repeats are ignored. */
export function createProgress({
  state,
  notes,
  onStatus,
  log,
}: Pick<OrderManagerOptions, 'state' | 'notes' | 'onStatus' | 'log'>) {
  /** By deployment: no build line is reported during this pause; the newest one from the meantime follows it. */
  const pauses = new Map<string, { timer: NodeJS.Timeout; next?: string }>()
  const tellLine = (deploymentId: string, line: string) => {
    const before = state.deployment(deploymentId)
    if (before?.phase !== 'Pulling') return
    const timer = setTimeout(() => {
      const next = pauses.get(deploymentId)?.next
      pauses.delete(deploymentId)
      if (next !== undefined) tellLine(deploymentId, next)
    }, LINE_PAUSE_MS)
    pauses.set(deploymentId, { timer: timer.unref() })
    const buildLine = line.slice(0, MAX_LINE_LENGTH)
    const deployment: DeploymentWire = { ...before, details: { ...before.details, buildLine } }
    state.putDeployment(deployment)
    onStatus(deployment)
  }
  return {
    /**
     * Reports a line of the build that a deployment waits for. Of lines in quick succession only the last is reported, after a moment: it
     * is the one that the build then spends its time on.
     */
    building(deploymentId: string, line: string): void {
      const pause = pauses.get(deploymentId)
      if (pause) pause.next = line
      else tellLine(deploymentId, line)
    },
    /** Stops all pending reports. */
    stop(): void {
      for (const { timer } of pauses.values()) clearTimeout(timer)
      pauses.clear()
    },
    publish(deploymentId: string, phase: DeploymentPhase, problem?: { code: string; message: string }): void {
      const before = state.deployment(deploymentId)
      if (!before) return
      const last = before.steps.at(-1)
      if (last?.phase === phase && last.code === problem?.code) return
      const reason = problem && { code: problem.code, message: problem.message.slice(0, MAX_MESSAGE_LENGTH) }
      const steps = [...before.steps, { phase, at: Date.now(), ...reason }].slice(-MAX_STEPS)
      const { details: { buildLine: _, waiting: __, ...details } = {}, ...rest } = before
      const deployment: DeploymentWire = { ...rest, phase, steps, ...(Object.keys(details).length > 0 ? { details } : {}) }
      state.putDeployment(deployment)
      if (!PHASES[phase].ended || phase === 'Failed')
        notes.add(BigInt(before.orderId), reason ? `${phase}: ${reason.message}` : phase)
      onStatus(deployment)
      const level = phase === 'Failed' || phase === 'Degraded' ? 'warn' : 'info'
      log[level]('deployment', { orderId: before.orderId, deploymentId, phase, ...reason })
    },
    /** Merges details into a deployment's record. */
    detail(deploymentId: string, more: DeploymentDetails): void {
      const before = state.deployment(deploymentId)
      if (!before) return
      const deployment: DeploymentWire = { ...before, details: { ...before.details, ...more } }
      state.putDeployment(deployment)
      onStatus(deployment)
    },
    phaseOf: (command: Command): DeploymentPhase => state.deployment(command.deploymentId)?.phase ?? 'Accepted',
  }
}
