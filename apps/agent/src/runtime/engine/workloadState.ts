import type Docker from 'dockerode'
import type { WorkloadState } from '../Runtime.ts'
import { LABEL } from './names.ts'

/** A container of ours as the agent speaks of it. */
export function workloadState(one: Docker.ContainerInspectInfo): WorkloadState {
  const labels = one.Config.Labels
  const address = Object.values(one.NetworkSettings.Networks)[0]?.IPAddress
  return {
    orderId: BigInt(labels[LABEL.order] ?? '0'),
    deploymentId: labels[LABEL.deployment] ?? '',
    slot: Number(labels[LABEL.slot] ?? '0'),
    running: one.State.Running,
    exitCode: one.State.ExitCode,
    // cgroup v1 leaves OOMKilled false; a kill that nobody asked for ends with 137.
    outOfMemory: one.State.OOMKilled || (!one.State.Running && one.State.ExitCode === 137),
    upstream: one.State.Running && address ? { address, start: `${one.Id} ${one.State.StartedAt}` } : undefined,
  }
}
