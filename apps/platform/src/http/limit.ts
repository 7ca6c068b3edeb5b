import type { IncomingMessage } from 'node:http'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Rate } from '../limits/RateLimiter.ts'
import type { AppContext } from './AppContext.ts'
import { callerNetwork } from './callerNetwork.ts'
import type { Call } from './defineRoute.ts'

/** Rate limits per caller. */
export const RATES = {
  read: { burst: 600, perMinute: 6_000 },
  sign: { burst: 20, perMinute: 30 },
  deploy: { burst: 20, perMinute: 30 },
  reachCaller: { burst: 5, perMinute: 10 },
  reachProvider: { burst: 5, perMinute: 6 },
  alert: { burst: 10, perMinute: 10 },
  // So that nobody's mailbox can be flooded from here.
  alertTarget: { burst: 3, perMinute: 0.05 },
  newsletter: { burst: 5, perMinute: 5 },
  faucetCaller: { burst: 20, perMinute: 10 },
  faucetAddress: { burst: 3, perMinute: 1 },
} as const satisfies Record<string, Rate>

/** Takes a token of the caller, or of `subject`; refuses with the seconds to wait. */
export function limit(call: Call, context: AppContext, name: keyof typeof RATES, subject?: string): void {
  const caller = subject ?? callerNetwork(call.env?.incoming as IncomingMessage | undefined, context.settings.trustedProxies)
  const seconds = context.limiter.take(name, caller, RATES[name])
  if (seconds === 0) return
  context.metrics.limited.inc({ limit: name })
  throw new AppError('rate_limited', `too many requests, try again in ${seconds} s`, {
    facts: { status: 429, seconds },
    retryable: true,
  })
}
