import type Docker from 'dockerode'
import { engineError, isMissing } from './engineError.ts'
import { bridgeName, LABEL, workloadName } from './names.ts'
import { blockOf, subnetOf } from './subnets.ts'

/** The block of addresses that this agent's orders have; undefined while there is none. */
export async function usedBlock(docker: Docker, instance: string): Promise<string | undefined> {
  try {
    const [one] = await docker.listNetworks({ filters: { label: [`${LABEL.instance}=${instance}`] } })
    const subnet = one?.IPAM?.Config?.[0]?.Subnet
    return subnet === undefined ? undefined : blockOf(subnet)
  } catch (error) {
    throw engineError(error)
  }
}

/** The network that an order has to itself; one with other addresses, left by an earlier order of that name, is replaced. */
export async function ensureNetwork(
  docker: Docker,
  instance: string,
  orderId: bigint,
  slot: number,
  block: string,
): Promise<void> {
  const { cidr, gateway } = subnetOf(block, slot)
  const name = workloadName(instance, orderId)
  try {
    const there = await docker.getNetwork(name).inspect()
    if (there.Labels?.[LABEL.slot] === String(slot) && there.IPAM?.Config?.[0]?.Subnet === cidr) return
    await docker.getNetwork(name).remove()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await docker.createNetwork({
    Name: name,
    Driver: 'bridge',
    EnableIPv6: false,
    IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: gateway }] },
    Options: { 'com.docker.network.bridge.name': bridgeName(instance, slot) },
    Labels: { [LABEL.instance]: instance, [LABEL.order]: String(orderId), [LABEL.slot]: String(slot) },
  })
}
