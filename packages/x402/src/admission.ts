import { AppError } from '@rackfair/rules/errors/AppError'
import { createNetworkCounts } from '@rackfair/rules/network/networkCounts'
import { networkOf } from '@rackfair/rules/network/networkOf'
import { createPace } from '@rackfair/rules/network/pace'

/** What strangers may take of a door. */
export interface AdmissionLimits {
  /** Requests at once, running jobs included. */
  requests: number
  /** Of these, from one network. */
  requestsPerNetwork: number
  /** New requests of one network: each asks the chain what a job costs. */
  pace: { burst: number; perSecond: number }
  /** Jobs of one payer at once, which may take an hour each. */
  jobsPerPayer: number
}

const LIMITS: AdmissionLimits = { requests: 64, requestsPerNetwork: 16, pace: { burst: 30, perSecond: 1 }, jobsPerPayer: 8 }

/**
 * Keeps room for others, whoever asks much. `visitor` is undefined where nobody says who asks: then only the number of all counts.
 *
 * @example const leave = admission.enter('192.0.2.7'); try { … } finally { leave() }
 */
export function createAdmission(limits: Partial<AdmissionLimits>, now = () => performance.now()) {
  const { requests, requestsPerNetwork, pace, jobsPerPayer } = { ...LIMITS, ...limits }
  const networks = createNetworkCounts(requestsPerNetwork)
  const paces = createPace(pace, now)
  const jobs = new Map<string, number>()
  let open = 0

  return {
    /** @throws AppError `rate_limited`, `busy` */
    enter(visitor: string | undefined): () => void {
      if (visitor !== undefined && !paces.take(networkOf(visitor)))
        throw new AppError('rate_limited', 'this network asks too often')
      if (open >= requests) throw new AppError('busy', `${requests} requests are under way`)
      if (visitor !== undefined && !networks.take(visitor))
        throw new AppError('busy', `${requestsPerNetwork} requests of this network are under way`)
      open += 1
      return () => {
        open -= 1
        if (visitor !== undefined) networks.give(visitor)
      }
    },
    /**
     * A payment counts for its payer from `begin` on, when it has arrived: others could name him.
     * @throws AppError `busy`
     */
    payer(address: string): { begin(): () => void } {
      const key = address.toLowerCase()
      if ((jobs.get(key) ?? 0) >= jobsPerPayer) throw new AppError('busy', `${jobsPerPayer} jobs of this payer are under way`)
      return {
        begin() {
          jobs.set(key, (jobs.get(key) ?? 0) + 1)
          return () => {
            const left = (jobs.get(key) ?? 1) - 1
            if (left > 0) jobs.set(key, left)
            else jobs.delete(key)
          }
        },
      }
    },
  }
}
