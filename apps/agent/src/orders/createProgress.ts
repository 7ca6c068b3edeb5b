import type { DeploymentPhase, DeploymentWire } from '@rackfair/core/wire'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import type { Command } from './openState.ts'

const MAX_STEPS = 100
const MAX_MESSAGE_LENGTH = 1000

export type Progress = ReturnType<typeof createProgress>

/** Keeps the steps of each deployment and tells the platform of every new one. Saying the same again says nothing. */
export function createProgress({ state, onStatus, log }: Pick<OrderManagerOptions, 'state' | 'onStatus' | 'log'>) {
  return {
    publish(deploymentId: string, phase: DeploymentPhase, problem?: { code: string; message: string }): void {
      const before = state.deployment(deploymentId)
      if (!before) return
      const last = before.steps.at(-1)
      if (last?.phase === phase && last.code === problem?.code) return
      const reason = problem && { code: problem.code, message: problem.message.slice(0, MAX_MESSAGE_LENGTH) }
      const steps = [...before.steps, { phase, at: Date.now(), ...reason }].slice(-MAX_STEPS)
      const deployment: DeploymentWire = { ...before, phase, steps }
      state.putDeployment(deployment)
      onStatus(deployment)
      const level = phase === 'Failed' || phase === 'Degraded' ? 'warn' : 'info'
      log[level]('deployment', { orderId: before.orderId, deploymentId, phase, ...reason })
    },
    phaseOf: (command: Command): DeploymentPhase => state.deployment(command.deploymentId)?.phase ?? 'Accepted',
  }
}
