import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Generated } from 'kysely'

/** Integers; those beyond 2^53 are returned as bigint. */
export type Int = number | bigint
/** 0 or 1 on both databases. */
export type Flag = number
/** Wei as a decimal string. */
export type Wei = string

export interface CursorTable {
  id: number
  chainId: number
  access: string
  genesisHash: string
  block: number
  blockHash: string
  blockTime: number
  foldVersion: number
}

export interface BlockTable {
  number: number
  hash: string
  time: number
}

export interface RawLogTable {
  block: number
  logIndex: number
  blockHash: string
  blockTime: number
  transactionHash: string
  address: LowerCaseAddress
  topics: string
  data: string
}

export interface UndoTable {
  block: number
  tableName: string
  rowKey: string
  /** JSON of the row before the block; null if there was none. */
  before: string | null
}

export interface ContractTable {
  address: LowerCaseAddress
  kind: string
  version: number
}

export interface ProviderTable {
  address: LowerCaseAddress
  position: number
  name: string
  ip: string
  domain: string
  port: number
  operator: LowerCaseAddress
  nNode: number
  uNode: number
  nMem: number
  uMem: number
  nDisk: number
  uDisk: number
  ordersCompleted: number
  ordersRunning: number
  ordersDropped: number
  ordersMissed: number
  withdrawn: Wei
}

export interface NodeTable {
  cp: LowerCaseAddress
  id: number
  cpuModel: string
  gpuModel: string
  nCPU: number
  core: number
  nGPU: number
  nMEM: number
  nDISK: number
  pCPU: Wei
  pGPU: Wei
  pMEM: Wei
  pDISK: Wei
  rate: Wei
  rev: number
  orderId: Int
  exist: Flag
  avail: Flag
  online: Flag
  addedTime: number
  /** Seconds; 0 means an hour. */
  minTerm: number
}

export interface OrderTable {
  id: Int
  user: LowerCaseAddress
  provider: LowerCaseAddress
  nodeId: number
  rev: number
  app: string
  status: number
  createTime: number
  activateTime: number
  deployTime: number
  lastSettleTime: number
  closeTime: number
  duration: number
  probation: number
  holdback: number
  penalty: number
  down: number
  reportedUntil: number
  downSince: number
  /** The payment pending for reports after a cancel, and its deadline. */
  pending: Wei
  pendingUntil: number
  commissionBps: number
  userConfirm: Flag
  providerConfirm: Flag
  rate: Wei
  totalValue: Wei
  remuneration: Wei
  commission: Wei
  refunded: Wei
  compensated: Wei
  pCPU: Wei
  pGPU: Wei
  pMEM: Wei
  pDISK: Wei
  nCPU: number
  nGPU: number
  nMEM: number
  nDISK: number
  cpuModel: string
  gpuModel: string
  core: number
}

export interface OrderEventTable {
  block: number
  logIndex: number
  orderId: Int
  name: string
  time: number
  transactionHash: string
  args: string
}

export interface PledgeTable {
  account: LowerCaseAddress
  amount: Wei
  /** The part of it locked behind live orders. */
  locked: Wei
}

/** A Pledge contract's interest index: what 1 locked wei has earned since the beginning, times 1e27. */
export interface PledgeContractTable {
  address: LowerCaseAddress
  interestIndex: Wei
}

/** The last value of the index on a UTC day. */
export interface InterestDayTable {
  contract: LowerCaseAddress
  day: number
  time: number
  interestIndex: Wei
}

/** An account's state in one Pledge contract, with interest booked up to `interestIndex`. `earned` includes `withdrawn`. */
export interface PledgeAccountTable {
  contract: LowerCaseAddress
  account: LowerCaseAddress
  pledged: Wei
  locked: Wei
  interestIndex: Wei
  earned: Wei
  withdrawn: Wei
}

/** One change of a pledge or payment of interest, and the account's state after it. */
export interface PledgeMoveTable extends PledgeAccountTable {
  block: number
  logIndex: number
  time: number
  kind: string
  amount: Wei
  transactionHash: string
}

export interface EarningTable {
  cp: LowerCaseAddress
  day: number
  nodeId: number
  gross: Wei
  commission: Wei
}

export interface MonitorTable {
  address: LowerCaseAddress
  /** Where it announced that it publishes its reports; untrusted text. */
  url: string
  bond: Wei
  joinedAt: number
  leftAt: number
  slashedAt: number
}

/** What a monitor put on the chain for a period of eight hours. */
export interface MonitorReportTable {
  monitor: LowerCaseAddress
  period: number
  /** Empty until it is revealed. */
  root: string
  committedAt: number
  revealedAt: number
  commitHash: string
  revealHash: string
}

/** Epochs of a period in which enough monitors observed an order down. */
export interface FindingTable {
  orderId: Int
  period: number
  market: LowerCaseAddress
  provider: LowerCaseAddress
  nodeId: number
  /** Bit i is epoch i of the period; in hex. */
  down: string
  finalAt: number
  /** `found`, `final`, or `dropped` because a monitor was slashed. */
  state: string
  /** Seconds of all final downtime of the order, including this period's. */
  total: number
  foundHash: string
  finalHash: string
}

/** Epochs in which a provider announced that a node may be down. */
export interface MaintenanceTable {
  provider: LowerCaseAddress
  nodeId: number
  firstEpoch: number
  epochs: number
  /** How many times it is announced: the contract accepts duplicates. 0 after it was withdrawn. */
  times: number
}

/** What a monitor published of an order, with its Merkle proof to the root at that time. */
export interface ObservationTable {
  monitor: LowerCaseAddress
  period: number
  market: LowerCaseAddress
  orderId: Int
  root: string
  /** Bitmaps in hex. */
  observed: string
  down: string
  /** JSON of the siblings on the path to the root. */
  proof: string
}

/** What a monitor signed about a node's hardware. */
export interface HardwareResultTable {
  monitor: LowerCaseAddress
  provider: LowerCaseAddress
  nodeId: number
  beacon: string
  time: number
  /** Monitors drawn for the node at that time, lower-cased and joined by commas. */
  drawn: string
  /** JSON of a `hardwareResultWire`. */
  json: string
}

export interface GlobalStatTable {
  id: number
  cpNumber: number
  nodeGlobal: number
  nodeUsed: number
  cpuGlobal: number
  cpuUsed: number
  gpuGlobal: number
  gpuUsed: number
  memGlobal: number
  memUsed: number
  diskGlobal: number
  diskUsed: number
}

export interface StatBucketTable extends Omit<GlobalStatTable, 'id'> {
  step: number
  time: number
}

/** What changed, in commit order: the feed of caches, streams and other processes. */
export interface ChangeTable {
  seq: Generated<number>
  topic: string
  /** Address of the user an order or deployment belongs to; empty for the rest. */
  user: string
  body: string
}

export interface LeaderTable {
  id: number
  epoch: number
  holder: string
  expires: number
}

export interface IndexerStatusTable {
  id: number
  state: string
  head: number
  seenAt: number
  reason: string
}

export interface NonceTable {
  nonce: string
  expires: number
}

export interface SessionTable {
  tokenHash: string
  address: LowerCaseAddress
  expires: number
}

/** Whether an agent is online, as of its last change of state. */
export interface PresenceTable {
  provider: LowerCaseAddress
  /** The process that holds or held its connection. */
  holder: string
  version: string
  /** JSON of its machine's capacity; null if the agent did not announce it. */
  machine: string | null
  online: Flag
  lastSeen: number
}

/** The processes that hold connections, with the time of each one's last heartbeat in unix seconds. */
export interface ProcessTable {
  id: string
  seenAt: number
  /** Where browsers reach this very process; empty if it is the only one. */
  url: string
}

/** An agent's keys for sealing, as it last announced them. */
export interface AnnouncedKeysTable {
  provider: LowerCaseAddress
  text: string
  signature: string
}

export interface DeploymentTable {
  id: string
  agentId: string | null
  orderId: string
  deployId: number
  user: LowerCaseAddress
  provider: LowerCaseAddress
  phase: string
  requestedAt: number
  runningAt: number | null
  visitUrl: string | null
  /** JSON of an own application's details, as reported by the agent. */
  details: string | null
  textHash: string
  /** The name of the request with its order and wallet; null without one, and once it failed before an agent accepted it. */
  once: string | null
  /** What a request with a name asks for. */
  asked: string | null
  /** The request for the agent; dropped once it has answered, because the environment may hold secrets. */
  request: string | null
  expires: number
}

export interface DeploymentEventTable {
  deploymentId: string
  position: number
  phase: string
  at: number
  code: string | null
  message: string | null
}

export interface NewsletterTable {
  email: string
  locale: string
  createdAt: number
}

export interface AlertRuleTable {
  id: string
  owner: LowerCaseAddress
  /** Of the owner; null until the alerts are next looked at, and where the market has no purses. */
  purse: LowerCaseAddress | null
  kind: string
  target: string
  /** JSON list. */
  events: string
  locale: string
  /** The signing secret of a webhook; empty for mail. */
  secret: string
  /** Token in the links of mails. */
  token: string
  createdAt: number
  confirmed: Flag
}

export interface AlertDeliveryTable {
  /** Identifies rule and event, so that no event is sent twice for one rule. */
  id: string
  ruleId: string
  /** JSON of the message. */
  body: string
  /** waiting, sent or failed */
  state: string
  createdAt: number
  dueAt: number
  attempts: number
  error: string | null
}

/** Every table of the store by name. */
export interface Tables {
  cursor: CursorTable
  block: BlockTable
  rawLog: RawLogTable
  undo: UndoTable
  contract: ContractTable
  provider: ProviderTable
  node: NodeTable
  order: OrderTable
  orderEvent: OrderEventTable
  pledge: PledgeTable
  pledgeContract: PledgeContractTable
  pledgeAccount: PledgeAccountTable
  pledgeMove: PledgeMoveTable
  interestDay: InterestDayTable
  earning: EarningTable
  monitor: MonitorTable
  monitorReport: MonitorReportTable
  finding: FindingTable
  maintenance: MaintenanceTable
  observation: ObservationTable
  hardwareResult: HardwareResultTable
  globalStat: GlobalStatTable
  statBucket: StatBucketTable
  change: ChangeTable
  leader: LeaderTable
  indexerStatus: IndexerStatusTable
  nonce: NonceTable
  session: SessionTable
  presence: PresenceTable
  process: ProcessTable
  announcedKeys: AnnouncedKeysTable
  deployment: DeploymentTable
  deploymentEvent: DeploymentEventTable
  newsletter: NewsletterTable
  alertRule: AlertRuleTable
  alertDelivery: AlertDeliveryTable
}
