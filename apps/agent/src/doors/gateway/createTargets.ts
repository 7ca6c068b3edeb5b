import type { IncomingMessage } from 'node:http'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { arrivalOf } from '../../foundation/arrival.ts'
import type { Visit } from '../../orders/createVisits.ts'
import { openValue, readCookies, visitCookie } from './cookies.ts'
import { type Address, createAddresses } from './createAddresses.ts'
import type { Door } from './createSidePorts.ts'

export type Targets = ReturnType<typeof createTargets>

/** Resolves a request to an address of this machine, and to an order there. */
export function createTargets(options: {
  config: AgentConfig['gateway']
  chainId: number
  localInstance?: string | undefined
  orderOfDomain?: ((name: string) => bigint | undefined) | undefined
  secret: string
  orderOfSlot: (slot: number) => bigint | undefined
}) {
  const { secret, orderOfSlot } = options
  const addresses = createAddresses(options.config, options.chainId, options.localInstance, options.orderOfDomain)

  return {
    addressOf: (request: IncomingMessage) => addresses(request.headers.host, arrivalOf(request.socket)),
    /** The order a request is for: by port or host name, which belong to one order, or by the signed cookie on the shared origin. */
    targetOf(request: IncomingMessage, address: Address, door: Door | undefined) {
      if (door) return { orderId: orderOfSlot(door.slot), shared: false }
      if (address.orderId !== undefined) return { orderId: address.orderId, shared: false }
      const value = openValue(readCookies(request.headers.cookie).get(visitCookie(address.isSecure)), secret)
      return { orderId: value === undefined ? undefined : BigInt(value), shared: true }
    },
  }
}

/** True if a port for public applications is used for a protected one of the same order, or vice versa. */
export const isOtherDoor = (door: Door | undefined, visit: Visit): boolean =>
  door !== undefined && door.access !== visit.preset.wire.access

/** Parses the path exactly as the application receives it, even if it begins with two slashes. */
export function parseUrl(path: string | undefined): URL | undefined {
  try {
    return new URL(`http://gateway${path}`)
  } catch {
    return undefined
  }
}
