import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainView } from './chain/read/chainView.ts'
import type { AgentConfig } from './config/agentConfig.ts'
import type { AgentDb } from './db/openAgentDb.ts'
import type { Log } from './foundation/log.ts'
import type { AgentTimes } from './foundation/times.ts'
import type { Runtime } from './runtime/Runtime.ts'

/** Dependencies shared by all parts of a running agent. */
export interface AgentContext {
  config: AgentConfig
  /** The folder with all of the agent's state. */
  data: string
  account: PrivateKeyAccount
  state: AgentDb
  chain: ChainView
  runtime: Runtime
  times: AgentTimes
  /** Unix seconds. */
  now: () => number
  log: Log
}
