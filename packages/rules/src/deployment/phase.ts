/** `Queued`: the platform holds the request until the agent is reachable. The others are the agent's own states. */
export const DEPLOYMENT_PHASES = [
  'Queued',
  'Accepted',
  'Pulling',
  'Creating',
  'Starting',
  'Running',
  'Degraded',
  'Stopped',
  'Finished',
  'Failed',
  'Cleaning',
  'Cleaned',
  'Closed',
] as const
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number]

export interface PhaseFacts {
  /** The deployment is over; no further phase follows. */
  ended: boolean
  /** Its application is on the machine, and answers unless it is stopped. */
  present: boolean
  /** A deploy or a clean is in progress: neither done nor failed. */
  busy: boolean
}

/** What each phase says about the application of an order. */
export const PHASES: Readonly<Record<DeploymentPhase, PhaseFacts>> = {
  Queued: { ended: false, present: false, busy: true },
  Accepted: { ended: false, present: false, busy: true },
  Pulling: { ended: false, present: false, busy: true },
  Creating: { ended: false, present: false, busy: true },
  Starting: { ended: false, present: false, busy: true },
  Running: { ended: false, present: true, busy: false },
  Degraded: { ended: false, present: true, busy: false },
  Stopped: { ended: false, present: true, busy: false },
  Finished: { ended: false, present: true, busy: false },
  Failed: { ended: true, present: false, busy: false },
  Cleaning: { ended: false, present: false, busy: true },
  Cleaned: { ended: true, present: false, busy: false },
  Closed: { ended: true, present: false, busy: false },
}
