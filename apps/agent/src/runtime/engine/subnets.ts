import { networkInterfaces } from 'node:os'

/** Networks of 16 addresses that one agent hands out, one per order. */
export const SLOTS = 256

export interface Subnet {
  cidr: string
  gateway: string
  /** Of the container. */
  address: string
}

/**
 * The network of a slot within the agent's block, for example slot 1 of 10.140.16.0 is 10.140.16.16/28. Services of one order have places
 * in it, from 0.
 */
export function subnetOf(block: string, slot: number, place = 0): Subnet {
  const [a, b, c] = block.split('.').map(Number) as [number, number, number, number]
  const third = c + Math.floor(slot / 16)
  const fourth = (slot % 16) * 16
  const [cidr, gateway, address] = [`${fourth}/28`, fourth + 1, fourth + 2 + place].map((last) => `${a}.${b}.${third}.${last}`)
  return { cidr: cidr as string, gateway: gateway as string, address: address as string }
}

/** The block that a network or an address lies in. */
export function blockOf(address: string): string {
  const [a, b, c] = address.split('.').map(Number) as [number, number, number]
  return `${a}.${b}.${c & 0xf0}.0`
}

/** A /20 block of 10.0.0.0/8 that starts where the instance's name points and avoids every address this machine has. */
export function chooseBlock(instance: string, interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): string {
  const taken = Object.entries(interfaces)
    .filter(([name]) => !name.startsWith(`rf${instance}-`))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter((address) => address.family === 'IPv4')
    .map((address) => ({ value: toNumber(address.address), mask: toNumber(address.netmask) }))
  const blocks = 120 * 16
  const start = Number.parseInt(instance, 16) % blocks
  for (let step = 0; step < blocks; step += 1) {
    const index = (start + step) % blocks
    const block = `10.${128 + Math.floor(index / 16)}.${(index % 16) * 16}.0`
    const value = toNumber(block)
    const blockMask = 0xfffff000
    const clash = taken.some((one) => ((value ^ one.value) & one.mask & blockMask) === 0)
    if (!clash) return block
  }
  throw new Error('no free block of addresses in 10.128.0.0/9')
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0)
}
