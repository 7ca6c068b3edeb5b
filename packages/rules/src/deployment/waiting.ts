/** What is seen of an application that does not answer yet. */
export interface Waiting {
  /** The port at which it is asked. */
  port: number
  /** Where it listens inside; undefined where that cannot be known. */
  listens?: readonly { address: string; port: number }[] | undefined
}

/** An IPv6 socket that takes IPv4 only at the loopback shows it so. */
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * What that means. `unknown`: nothing can be said but that it does not answer; `nothing`: it listens nowhere; `inside`: at the port, but for
 * itself only; `elsewhere`: at other ports only; `silent`: at the port, and still does not answer. `at` are the places that say so.
 * @example seenOf({ port: 8188, listens: [{ address: '127.0.0.1', port: 8188 }] }) // { seen: 'inside', at: ['127.0.0.1:8188'] }
 */
export function seenOf({ port, listens }: Waiting): {
  seen: 'unknown' | 'nothing' | 'inside' | 'elsewhere' | 'silent'
  at: string[]
} {
  if (listens === undefined) return { seen: 'unknown', at: [] }
  const here = listens.filter((one) => one.port === port)
  const told = (here.length > 0 ? here : listens).map((one) =>
    one.address.includes(':') ? `[${one.address}]:${one.port}` : `${one.address}:${one.port}`,
  )
  const isInside = here.every(({ address }) => LOOPBACK.test(address))
  const seen = listens.length === 0 ? 'nothing' : here.length === 0 ? 'elsewhere' : isInside ? 'inside' : 'silent'
  return { seen, at: told }
}
