/** How long the agent waits for what, in milliseconds. */
export interface AgentTimes {
  /** Between two reconciliations of every order with the whole chain. */
  reconcileMs: number
  /** Between two checks of the tenants’ firewall and the engine. */
  firewallMs: number
  /** Between two polls for orders that somebody ended or extended. */
  ordersMs: number
  /** Between two checks that those who use a workspace still may. */
  workspaceMs: number
  /** For one answer of the chain. */
  chainAnswerMs: number
  /** Until a chain that did not answer at the start is asked again. */
  chainRetryMs: number
  /** Until an application that did not start is started again: this long, then twice as long each time, up to `startRetryMaxMs`. */
  startRetryMs: number
  startRetryMaxMs: number
  /** An engine or a cluster may be away for this long before a start that waits for it counts as failed. */
  engineAwayMs: number
  /** Until a transaction that failed may be asked for again. */
  transactionRetryMs: number
  /** Between two polls for a receipt. */
  receiptMs: number
}

export const AGENT_TIMES: AgentTimes = {
  reconcileMs: 10_000,
  firewallMs: 2000,
  ordersMs: 2000,
  workspaceMs: 15_000,
  chainAnswerMs: 10_000,
  chainRetryMs: 2000,
  startRetryMs: 1000,
  startRetryMaxMs: 60_000,
  engineAwayMs: 900_000,
  transactionRetryMs: 10_000,
  receiptMs: 150,
}

/** A busy machine needs some time to answer, however impatient a test is. */
const LEAST_ANSWER_MS = 2500
/** A check of the firewall starts programs, which would take a tenth of a processor. */
const LEAST_FIREWALL_MS = 1000
const LEAST_MS = 50

/** The same order of things in less time, for tests. */
export function fasterTimes(factor: number): AgentTimes {
  const leasts: Record<string, number> = { chainAnswerMs: LEAST_ANSWER_MS, firewallMs: LEAST_FIREWALL_MS }
  return Object.fromEntries(
    Object.entries(AGENT_TIMES).map(([name, ms]: [string, number]) => [name, Math.max(leasts[name] ?? LEAST_MS, ms / factor)]),
  ) as unknown as AgentTimes
}

/** Those of an agent that a test starts as a process of its own; `RACKFAIR_FASTER` is the factor. */
export const timesOfProcess = (): AgentTimes => {
  const factor = Number(process.env.RACKFAIR_FASTER)
  return factor > 1 ? fasterTimes(factor) : AGENT_TIMES
}
