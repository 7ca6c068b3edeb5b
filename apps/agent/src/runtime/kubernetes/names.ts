/** Of everything in an order's namespace: there is one of each kind. */
export const APP = 'app'
/** Of the secret with the account of the image's registry. */
export const REGISTRY = 'registry'

export const LABEL = {
  instance: 'rackfair.io/instance',
  order: 'rackfair.io/order',
} as const

/** Of the namespace; what was applied last. */
export const NOTE = {
  deployment: 'rackfair.io/deployment',
  slot: 'rackfair.io/slot',
  sandbox: 'rackfair.io/sandbox',
} as const

export const namespaceOf = (instance: string, orderId: bigint): string => `rackfair-${instance}-${orderId}`
