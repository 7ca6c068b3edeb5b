import type { RunSpec } from '../../runtime/RunSpec.ts'
import type { Inside } from './Inside.ts'

/** The inside of orders for those who say a service by its name. All throw AppError `service_unknown` for one that the order has not. */
export function insideByName(runtime: Inside, serviceOf: (orderId: bigint, name: string) => RunSpec | undefined): Inside {
  const keyOf = (orderId: bigint, name: string | undefined) =>
    name === undefined ? undefined : serviceOf(orderId, name)?.service?.key
  return {
    exec: async (orderId, command, how) => runtime.exec(orderId, command, { ...how, service: keyOf(orderId, how?.service) }),
    terminal: async (orderId, command, size, name) => runtime.terminal(orderId, command, size, keyOf(orderId, name)),
    fileServer: async (orderId, name) => runtime.fileServer(orderId, keyOf(orderId, name)),
    connect: async (orderId, port, name) => runtime.connect(orderId, port, keyOf(orderId, name)),
  }
}
