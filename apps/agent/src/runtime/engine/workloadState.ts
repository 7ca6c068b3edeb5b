import type Docker from 'dockerode'
import type { WorkloadState } from '../Runtime.ts'
import { LABEL } from './names.ts'
import type { Side } from './ownRoot.ts'

/** A container of ours as the agent speaks of it. */
export function workloadState(one: Docker.ContainerInspectInfo): WorkloadState {
  const labels = one.Config.Labels
  const address = addressOf(one)
  return {
    orderId: BigInt(labels[LABEL.order] ?? '0'),
    service: labels[LABEL.service],
    deploymentId: labels[LABEL.deployment] ?? '',
    // What a renter brought has its root on the order's disk, and no image that the engine knows.
    imageId: labels[LABEL.image] ?? one.Image.replace('sha256:', ''),
    slot: Number(labels[LABEL.slot] ?? '0'),
    sandboxed: labels[LABEL.sandbox] !== undefined,
    running: one.State.Running,
    exitCode: one.State.ExitCode,
    outOfMemory: one.State.OOMKilled,
    endedAt: one.State.Running ? undefined : Math.max(0, Date.parse(one.State.FinishedAt)) || undefined,
    upstream: one.State.Running && address ? { address, start: `${one.Id} ${one.State.StartedAt}` } : undefined,
  }
}

/** Where its root is on its order's disk; undefined for a preset, which has none there. */
export const sideOf = ({ Config: { Labels } }: Docker.ContainerInspectInfo): Side | undefined =>
  Labels[LABEL.image] === undefined ? undefined : Labels[LABEL.side] === 'b' ? 'b' : 'a'

/** Its address on its order's network; Docker gives it one while it runs. */
export const addressOf = ({ Config, NetworkSettings }: Docker.ContainerInspectInfo): string | undefined =>
  Config.Labels[LABEL.address] ?? (Object.values(NetworkSettings.Networks)[0]?.IPAddress || undefined)
