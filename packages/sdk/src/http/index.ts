export { clockMinutesAhead, serverSeconds } from '../serverClock.ts'
export { type Api, createApi, type ReadOptions } from './createApi.ts'
export type { NodeQuery } from './NodeQuery.ts'
export {
  type Alert,
  type Alerts,
  type CreatedAlert,
  type RecentAlert,
  readAlerts,
  readAlertTest,
  readCreatedAlert,
} from './read/alerts.ts'
export { readDeployment } from './read/deployment.ts'
export { type EarningsHistory, type NodeDay, readEarningsHistory } from './read/earnings.ts'
export { type HardwareMeasurement, type HardwareRecord, readHardwareRecord } from './read/hardware.ts'
export {
  type NetworkCapacity,
  type NetworkSeries,
  type NetworkTotals,
  type ResourceTotal,
  readNetworkSeries,
  readNetworkTotals,
} from './read/network.ts'
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
} from './read/node.ts'
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
} from './read/order.ts'
export { type PledgeHistory, type PledgeMove, type PledgePoint, readPledgeHistory } from './read/pledge.ts'
export { readPresets } from './read/presets.ts'
export { type Reach, readProvider, readProviders, readReach } from './read/provider.ts'
export {
  type BrokenOrder,
  type Outage,
  type PlannedMaintenance,
  type ReliabilityRecord,
  readReliabilityRecord,
  type UsedMaintenance,
} from './read/reliability.ts'
