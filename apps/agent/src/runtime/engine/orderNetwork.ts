import type Docker from 'dockerode'
import { runCommand } from '../../foundation/runCommand.ts'
import { engineError, isMissing } from './engineError.ts'
import { bridgeName, LABEL, workloadName } from './names.ts'
import { subnetOf } from './subnets.ts'

const networksOf = (docker: Docker, instance: string) =>
  docker.listNetworks({ filters: { label: [`${LABEL.instance}=${instance}`] } })

/**
 * The network that an order has to itself where Docker makes it. What an earlier order left in this slot is removed, its network as well as
 * a bridge without one.
 */
export async function ensureNetwork(
  docker: Docker,
  order: { instance: string; orderId: bigint; slot: number; block: string },
): Promise<void> {
  const { instance, orderId, slot, block } = order
  const { cidr, gateway } = subnetOf(block, slot)
  const name = workloadName(instance, orderId)
  const bridge = bridgeName(instance, slot)
  for (const { Name, Labels, IPAM } of await networksOf(docker, instance)) {
    const isRight = Labels?.[LABEL.slot] === String(slot) && IPAM?.Config?.[0]?.Subnet === cidr
    if (Name === name ? isRight : Labels?.[LABEL.slot] !== String(slot)) continue
    await removeNetwork(docker, Name)
  }
  if (await isThere(docker, name)) return
  // The engine refuses a name that a link of this machine has.
  await runCommand('ip', ['link', 'delete', bridge, 'type', 'bridge'])
  await docker.createNetwork({
    Name: name,
    Driver: 'bridge',
    EnableIPv6: false,
    IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: gateway }] },
    Options: { 'com.docker.network.bridge.name': bridge },
    Labels: { [LABEL.instance]: instance, [LABEL.order]: String(orderId), [LABEL.slot]: String(slot) },
  })
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
