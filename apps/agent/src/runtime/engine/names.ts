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
  sandbox: 'io.rackfair.sandbox',
} as const

export const workloadName = (instance: string, orderId: bigint): string => `rackfair-${instance}-${orderId}`
const ASIDE = '-earlier'
/** The name of a container that was set aside for another of its order. */
export const asideName = (instance: string, orderId: bigint): string => workloadName(instance, orderId) + ASIDE
export const isAsideName = (name: string): boolean => name.endsWith(ASIDE)
/** Linux allows 15 bytes: `rf`, six of the instance, and the slot. */
export const bridgeName = (instance: string, slot: number): string => `rf${instance}-${slot}`
/** The end on this machine of the link between a bridge and a container. */
export const linkName = (instance: string, slot: number): string => `rl${instance}-${slot}`
export const bridgePrefix = (instance: string): string => `rf${instance}-`
export const tableName = (instance: string): string => `rackfair_${instance}`
