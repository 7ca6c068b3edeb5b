import type { AgentDb, Command } from '../../db/openAgentDb.ts'

/** The stored command while this deployment is still wanted; undefined once its order is over or another deployment replaced it. */
export function stillWanted(state: AgentDb, command: Command): Command | undefined {
  const stored = state.command(command.orderId)
  return stored?.deploymentId === command.deploymentId && stored.endedAt === undefined ? stored : undefined
}
