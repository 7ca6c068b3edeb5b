import { existsSync, writeFileSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import { runCommand } from '../../foundation/runCommand.ts'
import { bridgePrefix } from './names.ts'
import type { Subnet } from './subnets.ts'

const PREFIX = 28

/**
 * The bridge that an order has to itself, with this machine's address on it. One that an earlier order left in this slot is taken over if
 * it is right, and made anew if it is not. Throws `engine_unavailable`.
 */
export async function ensureBridge(bridge: string, { gateway }: Subnet): Promise<void> {
  const wanted = `${gateway}/${PREFIX}`
  // In one program: to start one takes this process longer than all that they do.
  const script = `
    ip -4 -o addr show dev ${bridge} 2>/dev/null | grep -q ' ${wanted} ' || {
      ip link delete ${bridge} 2>/dev/null || :
      ip link add ${bridge} type bridge
      ip addr add ${wanted} dev ${bridge}
    }
    ip link set ${bridge} up`
  const { code, stderr } = await runCommand('sh', ['-ec', script])
  if (code !== 0) throw unavailable(`${bridge}: ${stderr}`)
  setKernel('net/ipv4/ip_forward', '1')
  // Nobody is there without a link: what is meant for the address is refused at once, by the firewall, and does not wait for an answer.
  setKernel(`net/ipv4/conf/${bridge}/ignore_routes_with_linkdown`, '1')
  // Tenants have no addresses of that kind, and this machine none for them.
  if (existsSync('/proc/sys/net/ipv6')) setKernel(`net/ipv6/conf/${bridge}/disable_ipv6`, '1')
}

/** Takes away the bridges of an agent whose containers have ended: unlike those of an engine, they stay when the last of them does. */
export async function removeBridges(instance: string): Promise<void> {
  const { stdout } = await runCommand('ip', ['-json', 'link', 'show', 'type', 'bridge'])
  for (const { ifname } of JSON.parse(stdout || '[]') as { ifname?: string }[])
    if (ifname?.startsWith(bridgePrefix(instance))) await runCommand('ip', ['link', 'delete', ifname])
}

function setKernel(name: string, value: string): void {
  try {
    writeFileSync(`/proc/sys/${name}`, value)
  } catch (error) {
    throw unavailable(`${name}: ${error}`)
  }
}

/**
 * Lines for `sh -e` that lay the link between a container's network namespace, which has none, and the bridge of its order. What an earlier
 * run left of it is taken away: the kernel forgets a namespace that has ended only a while later.
 */
export function wireScript(pid: number, { link, bridge, gateway, address }: Wire): string {
  // Whoever is asked for the address keeps the answer in mind for a while: it stays right after a restart.
  const mac = ['02', '00', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':')
  const inside = [
    'ip link set lo up',
    `ip addr add ${address}/${PREFIX} dev eth0`,
    'ip link set eth0 up',
    `ip route add default via ${gateway}`,
    `ip -4 -o addr show dev eth0 up | grep -q " ${address}/${PREFIX} "`,
  ]
  return [
    `ip link delete ${link} 2>/dev/null || :`,
    `ip link add ${link} type veth peer name eth0 address ${mac} netns ${pid}`,
    `ip link set ${link} master ${bridge} up`,
    `nsenter -t ${pid} -n sh -ec '${inside.join('\n')}'`,
  ].join('\n')
}

export interface Wire {
  /** Name of the link's end on this machine. */
  link: string
  bridge: string
  /** Of the order's network. */
  cidr: string
  gateway: string
  /** The container's. */
  address: string
}

const unavailable = (cause: string) =>
  new AppError('engine_unavailable', 'the network of the application cannot be made', {
    ...{ cause: cause.trim().slice(0, 300), retryable: true },
  })
