import type { PresetWire } from '@rackfair/core/wire'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { AlertRules } from '../alerts/AlertRules.ts'
import type { DeploymentStore } from '../deployments/DeploymentStore.ts'
import type { Faucet } from '../faucet/Faucet.ts'
import type { ChangeFeed } from '../feed/ChangeFeed.ts'
import type { RateLimiter } from '../limits/RateLimiter.ts'
import type { Presence } from '../presence/Presence.ts'
import type { Catalogue } from '../read/Catalogue.ts'
import type { Relay } from '../relay/Relay.ts'
import type { Settings } from '../settings/Settings.ts'
import type { Database } from '../store/openStore.ts'
import type { Reliability } from '../uptime/Reliability.ts'
import type { HotAnswers } from './HotAnswers.ts'
import type { Metrics } from './Metrics.ts'
import type { RepresentationCache } from './RepresentationCache.ts'

/** What the routes stand on. */
export interface Parts {
  settings: Settings
  log: Logger
  db: Database
  client: PublicClient
  feed: ChangeFeed
  catalogue: Catalogue
  presence: Presence
  reliability: Reliability
  deployments: DeploymentStore
  relay: Relay
  faucet: Faucet | undefined
  alerts: AlertRules
  presets: readonly PresetWire[]
  cache: RepresentationCache
  hot: HotAnswers
  limiter: RateLimiter
  /** Unix milliseconds: what requests, heartbeats and the mailbox are dated by. */
  clock: () => number
  metrics: Metrics
  callOthers: (provider: string) => Promise<void>
  /** False from the moment the program is told to stop. */
  accepting: () => boolean
}
