import type { PresetWire } from '@rackfair/protocol/presets'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { AlertRules } from '../alerts/AlertRules.ts'
import type { DeploymentStore } from '../deployments/DeploymentStore.ts'
import type { Faucet } from '../faucet/Faucet.ts'
import type { ChangeFeed } from '../feed/ChangeFeed.ts'
import type { RateLimiter } from '../limits/RateLimiter.ts'
import type { Presence } from '../presence/Presence.ts'
import type { NodeIndex } from '../read/NodeIndex.ts'
import type { Relay } from '../relay/Relay.ts'
import type { Settings } from '../settings/Settings.ts'
import type { Database } from '../store/openStore.ts'
import type { Hardware } from '../uptime/Hardware.ts'
import type { Reliability } from '../uptime/Reliability.ts'
import type { FastPath } from './FastPath.ts'
import type { Metrics } from './Metrics.ts'
import type { ResponseCache } from './ResponseCache.ts'

/** The dependencies of the routes. */
export interface AppContext {
  settings: Settings
  log: Logger
  db: Database
  client: PublicClient
  feed: ChangeFeed
  nodeIndex: NodeIndex
  presence: Presence
  reliability: Reliability
  hardware: Hardware
  deployments: DeploymentStore
  relay: Relay
  faucet: Faucet | undefined
  alerts: AlertRules
  presets: readonly PresetWire[]
  cache: ResponseCache
  fastPath: FastPath
  limiter: RateLimiter
  /** Unix milliseconds: the timestamps of requests, heartbeats and the mailbox. */
  clock: () => number
  metrics: Metrics
  callOthers: (provider: LowerCaseAddress) => Promise<void>
  /** False from the moment the process is told to stop. */
  accepting: () => boolean
}
