import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './specialAddresses.ts'

interface Ip {
  bits: 32 | 128
  value: bigint
}

/** Whether `ip` is a public internet address: not a host name, private, reserved, or an IPv6 address that embeds an IPv4 one. */
export function isPublicAddress(ip: string): boolean {
  const address = parseIp(ip)
  if (!address) return false
  if (address.bits === 32) return !SPECIAL_IPV4.some((range) => isWithin(address, range))
  return isWithin(address, GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => isWithin(address, range))
}

/**
 * The network that machines of one owner tend to share: the /24 of an IPv4 address, the /48 of an IPv6 address. Undefined for an address
 * that is not public.
 * @example neighbourhoodOf('8.8.4.9') // 'v4 526340'
 */
export function neighbourhoodOf(ip: string): string | undefined {
  const address = isPublicAddress(ip) ? parseIp(ip) : undefined
  if (!address) return undefined
  return address.bits === 32 ? `v4 ${address.value >> 8n}` : `v6 ${address.value >> 80n}`
}

function isWithin({ bits, value }: Ip, range: string): boolean {
  const [net = '', prefix] = range.split('/')
  const low = BigInt(bits - Number(prefix))
  return value >> low === (parseIp(net) as Ip).value >> low
}

/** The numeric value of an address of either version, parsed like inet_pton: no zone, no leading zeros, no port. */
function parseIp(text: string): Ip | undefined {
  const v4 = parseIpv4(text)
  if (v4 !== undefined) return { bits: 32, value: v4 }
  const v6 = text.length <= 45 ? parseIpv6(text) : undefined
  return v6 === undefined ? undefined : { bits: 128, value: v6 }
}

function parseIpv4(text: string): bigint | undefined {
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1)
  if (!octets?.every((octet) => Number(octet) <= 255 && String(Number(octet)) === octet)) return undefined
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
}

function parseIpv6(text: string): bigint | undefined {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const v4 = tail ? parseIpv4(tail[2] as string) : undefined
  if (tail && v4 === undefined) return undefined
  const hex = tail ? `${tail[1]}${((v4 as bigint) >> 16n).toString(16)}:${((v4 as bigint) & 0xffffn).toString(16)}` : text
  const halves = hex.split('::')
  if (halves.length > 2) return undefined
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const zeros = 8 - left.length - right.length
  if (halves.length === 2 ? zeros < 1 : zeros !== 0) return undefined
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}
