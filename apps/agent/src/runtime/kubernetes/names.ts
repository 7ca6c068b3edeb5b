/** Of everything in an order's namespace of which there is one of each kind, and of what belongs to the main of several services. */
export const APP = 'app'
/** Of the secret with the account of the image's registry. */
export const REGISTRY = 'registry'
/** Of the secret without whose keys the services of an order do not begin. */
export const GATES = 'gates'
/** The container of a service, and the secret with what it was given. */
export const partName = (service: string | undefined): string => (service === undefined ? APP : `${APP}-${service}`)

export const LABEL = {
  instance: 'rackfair.io/instance',
  order: 'rackfair.io/order',
} as const

/** Of the namespace; what was applied last. */
export const NOTE = {
  deployment: 'rackfair.io/deployment',
  slot: 'rackfair.io/slot',
  sandbox: 'rackfair.io/sandbox',
  /** The services that were applied, by the names of their parts; none of an application of one container. */
  parts: 'rackfair.io/parts',
} as const

export const namespaceOf = (instance: string, orderId: bigint): string => `rackfair-${instance}-${orderId}`
