export { type HardwareMeasurement, type HardwareRecord, readHardwareRecord } from '@rackfair/hardware/record'
export {
  type Alert,
  type Alerts,
  type CreatedAlert,
  type RecentAlert,
  readAlerts,
  readAlertTest,
  readCreatedAlert,
} from '@rackfair/protocol/alerts'
export { readDeployment } from '@rackfair/protocol/deployments'
export { type EarningsHistory, type NodeDay, readEarningsHistory } from '@rackfair/protocol/earnings'
export {
  type NetworkCapacity,
  type NetworkSeries,
  type NetworkTotals,
  type ResourceTotal,
  readNetworkSeries,
  readNetworkTotals,
} from '@rackfair/protocol/network'
export {
  type Facet,
  type ModelPrice,
  type NodeSearchPage,
  type PriceBar,
  type Rack,
  type RackSlot,
  readNode,
  readNodeOffer,
  readNodeSearch,
  readPrices,
  readRack,
} from '@rackfair/protocol/nodes'
export {
  eventAmount,
  type OrderEvent,
  type OrderReceipt,
  type ReceiptAmounts,
  type ReceiptEntry,
  type ReceiptPeriod,
  readOrder,
  readOrderEvents,
  readOrders,
  readReceipt,
} from '@rackfair/protocol/orders'
export { type PledgeHistory, type PledgeMove, type PledgePoint, readPledgeHistory } from '@rackfair/protocol/pledge'
export { readPresets } from '@rackfair/protocol/presets'
export { readProvider, readProviders } from '@rackfair/protocol/providers'
export { type EdgePlace, type Reach, readEdgePlace, readReach } from '@rackfair/protocol/reach'
export {
  type BrokenOrder,
  type Outage,
  type PlannedMaintenance,
  type ReliabilityRecord,
  readReliabilityRecord,
  type UsedMaintenance,
} from '@rackfair/protocol/reliability'
export { clockMinutesAhead, serverSeconds } from '../serverClock.ts'
export { type Api, createApi, type ReadOptions, type SessionToken } from './createApi.ts'
export type { NodeQuery } from './NodeQuery.ts'
