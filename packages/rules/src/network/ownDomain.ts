const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** With room for `_rackfair.` before it. */
const MAX_DOMAIN = 243
/** CNAMEs that are followed from a domain. */
const MAX_HOPS = 4

/** What the DNS says of a name; empty where it says nothing. */
export interface DomainRecords {
  cname(name: string): Promise<readonly string[]>
  txt(name: string): Promise<readonly string[]>
}

/**
 * A domain of a renter, in lower case and without the last dot; undefined for what is none that a public authority certifies. Other scripts
 * are written as the DNS has them.
 *
 * @example ownDomain('Shop.example.') // 'shop.example'
 */
export function ownDomain(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '')
  const labels = name.split('.')
  const isName = name.length <= MAX_DOMAIN && labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isName && /^(?:[a-z]|xn--)/.test(labels.at(-1) ?? '') && labels.at(-1) !== 'localhost' ? name : undefined
}

/** The name of an order below one of its provider's, to which a domain of its renter points. */
export const orderName = (orderId: bigint | string, below: string): string => `o-${orderId}.${below}`

/** Where a domain that can have no CNAME says to which order it points. */
export const pointerName = (domain: string): string => `_rackfair.${domain}`

/**
 * The names to which a domain points: where its CNAME leads, or else what the TXT records below it say.
 *
 * @example await namesBehind('shop.example', records) // ['shop.example', 'o-12.atlas.edge.example']
 */
export async function namesBehind(domain: string, records: DomainRecords): Promise<string[]> {
  const names = [domain]
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const [next, ...others] = await records.cname(names.at(-1) as string)
    const name = next === undefined || others.length > 0 ? undefined : ownDomain(next)
    if (name === undefined || names.includes(name)) break
    names.push(name)
  }
  if (names.length > 1) return names
  const said = await records.txt(pointerName(domain))
  return [domain, ...said.slice(0, MAX_HOPS).flatMap((text) => ownDomain(text) ?? [])]
}

/**
 * Whether a domain points to this order of a provider whose orders have names below `names`, and to no other of it.
 *
 * @example await pointsTo('shop.example', 12n, ['atlas.edge.example'], records) // true
 */
export async function pointsTo(
  domain: string,
  orderId: bigint | string,
  names: readonly string[],
  records: DomainRecords,
): Promise<boolean> {
  const ofProvider = (await namesBehind(domain, records)).filter((name) =>
    names.some((below) => /^o-\d+$/.test(name.slice(0, -below.length - 1)) && name.endsWith(`.${below}`)),
  )
  return ofProvider.length > 0 && ofProvider.every((name) => names.some((below) => name === orderName(orderId, below)))
}
