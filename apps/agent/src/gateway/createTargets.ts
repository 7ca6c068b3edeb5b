import type { IncomingMessage } from 'node:http'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { Visit } from '../orders/createVisits.ts'
import { openValue, readCookies, VISIT_COOKIE } from './cookies.ts'
import { type Address, createAddresses } from './createAddresses.ts'
import type { Door } from './createSidePorts.ts'

export type Targets = ReturnType<typeof createTargets>

/** Which address of this machine a visitor asks, and which order there. */
export function createTargets(options: {
  config: AgentConfig['gateway']
  chainId: number
  secret: string
  orderOfSlot: (slot: number) => bigint | undefined
}) {
  const { secret, orderOfSlot } = options
  const addresses = createAddresses(options.config, options.chainId)

  return {
    addressOf: (request: IncomingMessage) => addresses(request.headers.host, request.socket.localPort),
    /** Which order a request is for: by its port or host name, which are that order's alone, or the signed cookie of the shared origin. */
    targetOf(request: IncomingMessage, address: Address, door: Door | undefined) {
      if (door) return { orderId: orderOfSlot(door.slot), shared: false }
      if (address.orderId !== undefined) return { orderId: address.orderId, shared: false }
      const value = openValue(readCookies(request.headers.cookie).get(VISIT_COOKIE), secret)
      return { orderId: value === undefined ? undefined : BigInt(value), shared: true }
    },
  }
}

/** A port for public applications is none for a protected one that the same order runs now, nor the other way round. */
export const isOtherDoor = (door: Door | undefined, visit: Visit): boolean =>
  door !== undefined && door.access !== visit.preset.wire.access

/** Read as the path that the application gets, also where it begins with two slashes. */
export function parseUrl(path: string | undefined): URL | undefined {
  try {
    return new URL(`http://gateway${path}`)
  } catch {
    return undefined
  }
}
