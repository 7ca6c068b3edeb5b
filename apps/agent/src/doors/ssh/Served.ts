import type { SshConnection } from './createConnection.ts'
import type { Inside } from './Inside.ts'

/** What all connections of an order have open together. */
export interface OpenForwards {
  count: number
}

/** What a connection that has signed in may use. */
export interface Served {
  orderId: bigint
  /** One of several services of the order; undefined for the one with the page. */
  service: string | undefined
  inside: Inside
  forwards: OpenForwards
  connection: Pick<SshConnection, 'onEnd'>
  /** As SSH_CONNECTION has it. */
  addresses: string
}
