import type { AppError } from '@rackfair/rules/errors/AppError'

/** Contract errors that a provider's commands can meet, each explained in a sentence with what to do. */
const SENTENCES: Readonly<Record<string, string>> = {
  EntriesPaused: 'the market is paused for new entries; try again later, what runs keeps running',
  NameTaken: 'another provider has this name, or one that reads the same; choose a different one with --name',
  NameUnreadable: 'the name has no letter and no digit; choose a different one with --name',
  NotRegistered: 'this provider is not registered; run rackfair-agent register',
  NotOperator: 'this key is not the operator of the provider; run rackfair-agent register',
  NodeSold: 'the node is held by an order; it can be changed when the order is over',
  TooManyNodes: 'the provider has as many nodes as it may list; a pledge of 1 USD raises the limit from 16 to 1,000',
  MaintenanceTooSoon: 'the maintenance begins too soon to be announced or withdrawn; nothing has changed, name a later time',
  MaintenanceOutOfMonth: 'the maintenance extends past the end of a month; announce the time before and after that separately',
  TooMuchMaintenance:
    'one of the nodes has too little maintenance left in the 30 days around it; shorten it, or name other nodes',
  NoMaintenance: 'this maintenance is not announced, or was withdrawn before; list what is with: rackfair-agent maintenance',
  NoProcessor: 'a node needs at least one processor or GPU: --cpus or --gpus',
  ZeroRate: 'a node needs a price: --cpu-price, --gpu-price, --memory-price or --disk-price',
  RateTooHigh: 'the monthly price of the node is too high',
  PriceTooHigh: 'the price is too high',
  NodesListed: 'the whole pledge comes back once no node is listed; take them off the market with node remove',
  PledgeTooLow: 'the pledge would be below 1 USD',
  insufficient_gas: "the account cannot pay for the transaction; send it a little of the chain's own currency",
  rpc_unreachable: 'the chain does not answer',
}

export function explainError(error: AppError): string {
  if (error.code === 'CountOutOfBounds' || error.code === 'LengthOutOfBounds') {
    const { field, min, max } = error.facts
    return `${field} must be between ${min} and ${max}`
  }
  if (error.code === 'TooManyNodes' && 'nodes' in error.facts)
    return `maintenance is announced for at most ${error.facts.max} nodes at once; name some of them`
  return SENTENCES[error.code] ?? error.message
}
