/** What counts as one visitor: an IPv4 address, or the /64 network that an IPv6 subscriber can choose addresses from. */
export function networkOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4) return v4
  const [left = [], right = []] = address.split('::').map((side) => side.split(':').filter(Boolean))
  const zeros = Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':').slice(0, 64)
}

/**
 * The wider networks of what `networkOf` returned, each with the number of visitors that it is worth: one customer can be given all of a
 * /56 or a /48, and as well many customers one /64 each of it. An IPv4 address has none.
 */
export function widerNetworks(network: string): { network: string; worth: number }[] {
  const groups = network.split(':')
  if (groups.length !== 4) return []
  const site = groups.slice(0, 3).join(':')
  const subnet = Number.parseInt(groups[3] as string, 16) >> 8
  return [
    { network: `${site}:${subnet.toString(16)}/56`, worth: 4 },
    { network: `${site}/48`, worth: 16 },
  ]
}
