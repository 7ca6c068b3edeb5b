import type Docker from 'dockerode'
import { runCommand } from '../../foundation/runCommand.ts'
import { engineError, isMissing } from './engineError.ts'
import { libpod } from './libpod.ts'
import { bridgeName, LABEL, workloadName } from './names.ts'
import { blockOf, subnetOf } from './subnets.ts'

/** The address block in use by this agent's orders; undefined if there is none. */
export async function usedBlock(docker: Docker, instance: string): Promise<string | undefined> {
  try {
    const [one] = await networksOf(docker, instance)
    const subnet = one?.IPAM?.Config?.[0]?.Subnet
    return subnet === undefined ? undefined : blockOf(subnet)
  } catch (error) {
    throw engineError(error)
  }
}

const networksOf = (docker: Docker, instance: string) =>
  docker.listNetworks({ filters: { label: [`${LABEL.instance}=${instance}`] } })

/**
 * The network that an order has to itself, without a resolver of the engine: one process for all tenants of a machine would fall with
 * the first who floods it. What an earlier order left in this slot is removed, its network as well as a bridge without one.
 */
export async function ensureNetwork(
  docker: Docker,
  kind: 'podman' | 'docker',
  order: { instance: string; orderId: bigint; slot: number; block: string },
): Promise<void> {
  const { instance, orderId, slot, block } = order
  const { cidr, gateway } = subnetOf(block, slot)
  const name = workloadName(instance, orderId)
  const bridge = bridgeName(instance, slot)
  for (const { Name, Labels, IPAM } of await networksOf(docker, instance)) {
    const isRight = Labels?.[LABEL.slot] === String(slot) && IPAM?.Config?.[0]?.Subnet === cidr
    if (Name === name ? isRight && (await hasNoResolver(docker, kind, name)) : Labels?.[LABEL.slot] !== String(slot)) continue
    await removeNetwork(docker, Name)
  }
  if (await isThere(docker, name)) return
  // The engine refuses a name that a link of this machine has.
  await runCommand('ip', ['link', 'delete', bridge, 'type', 'bridge'])
  const labels = { [LABEL.instance]: instance, [LABEL.order]: String(orderId), [LABEL.slot]: String(slot) }
  if (kind === 'podman')
    await libpod(docker, 'POST', '/networks/create', {
      ...{ name, driver: 'bridge', network_interface: bridge, subnets: [{ subnet: cidr, gateway }], labels },
      ...{ dns_enabled: false, ipv6_enabled: false, internal: false },
    })
  else
    await docker.createNetwork({
      Name: name,
      Driver: 'bridge',
      EnableIPv6: false,
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: gateway }] },
      Options: { 'com.docker.network.bridge.name': bridge },
      Labels: labels,
    })
}

async function hasNoResolver(docker: Docker, kind: 'podman' | 'docker', name: string): Promise<boolean> {
  if (kind === 'docker') return true
  return !(await libpod<{ dns_enabled: boolean }>(docker, 'GET', `/networks/${name}/json`)).dns_enabled
}

async function isThere(docker: Docker, name: string): Promise<boolean> {
  try {
    await docker.getNetwork(name).inspect()
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

export async function removeNetwork(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getNetwork(name).remove()
  } catch (error) {
    if (!isMissing(error)) throw engineError(error)
  }
}
