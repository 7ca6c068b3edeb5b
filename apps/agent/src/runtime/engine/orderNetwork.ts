import type Docker from 'dockerode'
import { isMissing } from './engineError.ts'
import { bridgeName, LABEL, workloadName } from './names.ts'
import { subnetOf } from './subnets.ts'

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
