import { randomBytes } from 'node:crypto'

/** Six hex digits that tell one agent's containers and networks from another's. */
export const newInstance = (): string => randomBytes(3).toString('hex')

/** How the objects of one agent are told from those of another on the same machine. */
export const LABEL = {
  instance: 'io.rackfair.instance',
  order: 'io.rackfair.order',
  deployment: 'io.rackfair.deployment',
  slot: 'io.rackfair.slot',
  address: 'io.rackfair.address',
  image: 'io.rackfair.image',
  /** On which side of its order's disk its root is, if not on the first. */
  side: 'io.rackfair.side',
  sandbox: 'io.rackfair.sandbox',
  service: 'io.rackfair.service',
  /** The names of all services of the order by their place, as JSON. */
  services: 'io.rackfair.services',
} as const

/** No service has a dot in its name. */
const suffix = (service: string | undefined): string => (service === undefined ? '' : `.${service}`)
export const workloadName = (instance: string, orderId: bigint, service?: string): string =>
  `rackfair-${instance}-${orderId}${suffix(service)}`
/** The name of a container that was set aside for another of its order. */
export const asideName = (instance: string, orderId: bigint, service?: string): string =>
  `rackfair-${instance}-${orderId}-earlier${suffix(service)}`
/** The name of a container that was made while another of its order runs, and takes its place. */
export const nextName = (instance: string, orderId: bigint, service?: string): string =>
  `rackfair-${instance}-${orderId}-next${suffix(service)}`
export const isAsideName = (name: string): boolean => /-\d+-earlier(?:\.[^.]*)?$/.test(name)
export const isNextName = (name: string): boolean => /-\d+-next(?:\.[^.]*)?$/.test(name)
/** Linux allows 15 bytes: `rf`, six of the instance, and the slot. */
export const bridgeName = (instance: string, slot: number): string => `rf${instance}-${slot}`
/** The end on this machine of the link between a bridge and a container. */
export const linkName = (instance: string, slot: number, place = 0): string =>
  `rl${instance}-${slot}${place === 0 ? '' : String.fromCharCode(96 + place)}`
/** What all containers of an order take together, below that of the agent. */
export const cgroupName = (instance: string): string => `rackfair-${instance}`
export const bridgePrefix = (instance: string): string => `rf${instance}-`
export const tableName = (instance: string): string => `rackfair_${instance}`
