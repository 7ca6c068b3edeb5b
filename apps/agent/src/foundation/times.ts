/** The agent's intervals and timeouts, in milliseconds. */
export interface AgentTimes {
  /** Interval between full reconciliations of all orders with the chain. */
  reconcileMs: number
  /** Interval between checks of the tenants’ firewall and the engine. */
  firewallMs: number
  /** Interval between polls for ended or extended orders. */
  ordersMs: number
  /** Interval between checks that workspace sessions are still authorized. */
  workspaceMs: number
  /** Timeout of one chain request. */
  chainAnswerMs: number
  /** Delay before a chain that did not answer at startup is queried again. */
  chainRetryMs: number
  /** Delay before a failed start is retried; doubles each time, up to `startRetryMaxMs`. */
  startRetryMs: number
  startRetryMaxMs: number
  /** How long an engine or a cluster may be unreachable before a start that waits for it counts as failed. */
  engineAwayMs: number
  /** Delay before a failed transaction may be requested again. */
  transactionRetryMs: number
  /** Interval between polls for a receipt. */
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

/** Lower bound for tests: a busy machine needs some time to answer. */
const LEAST_ANSWER_MS = 2500
/** Lower bound for tests: each firewall check starts programs, which would otherwise take a tenth of a processor. */
const LEAST_FIREWALL_MS = 1000
const LEAST_MS = 50

/** The same times, divided by `factor`, for tests. */
export function fasterTimes(factor: number): AgentTimes {
  const leasts: Record<string, number> = { chainAnswerMs: LEAST_ANSWER_MS, firewallMs: LEAST_FIREWALL_MS }
  return Object.fromEntries(
    Object.entries(AGENT_TIMES).map(([name, ms]: [string, number]) => [name, Math.max(leasts[name] ?? LEAST_MS, ms / factor)]),
  ) as unknown as AgentTimes
}

/** The times of an agent that a test starts as a separate process; `RACKFAIR_FASTER` is the factor. */
export const timesOfProcess = (): AgentTimes => {
  const factor = Number(process.env.RACKFAIR_FASTER)
  return factor > 1 ? fasterTimes(factor) : AGENT_TIMES
}
