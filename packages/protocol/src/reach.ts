import { count, countTo, flag, object, oneOf, text, unread, type ValueOf, type WireOf } from './shape.ts'

/**
 * The result of probing a provider's registered address. Only `reachable` means that buyers can visit their applications. `refused`: nothing
 * listens on the port. `timed_out`: nothing answered at all; a firewall or a router drops the packets, or the machine is off. `no_route`: the
 * network has none to the address. `not_this_agent`: something listens, but it did not prove the operator key of this provider.
 * `not_public`: a private, reserved or malformed address, which cannot be reached from the internet and was not probed.
 */
const reachOutcome = oneOf('reachable', 'refused', 'timed_out', 'no_route', 'not_this_agent', 'not_public')
export type ReachOutcome = ValueOf<typeof reachOutcome>

/** `POST /v1/cp/{address}/reach`. `ip` and `port` are the registered ones at the time of the probe; nothing else is probed. */
export const reachAnswer = object({
  outcome: reachOutcome,
  ip: text,
  port: countTo(65_535),
  tls: unread(flag),
  milliseconds: count,
})
export type Reach = ValueOf<typeof reachAnswer>
export type ReachAnswer = WireOf<typeof reachAnswer>

/**
 * `POST /v1/cp/{address}/reach`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readReach = (json: unknown): Reach => reachAnswer(json, 'reach')

/** `POST /v1/cp/{address}/edge`: what an edge would give to this provider, in the form that a provider registers. */
export const edgePlaceAnswer = object({ ip: text, port: countTo(65_535), domain: text })
export type EdgePlace = ValueOf<typeof edgePlaceAnswer>
export type EdgePlaceWire = WireOf<typeof edgePlaceAnswer>

/**
 * `POST /v1/cp/{address}/edge`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readEdgePlace = (json: unknown): EdgePlace => edgePlaceAnswer(json, 'edge')
