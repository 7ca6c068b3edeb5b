import type { ContainerCreateOptions } from 'dockerode'
import type { Workload } from '../Runtime.ts'
import { LABEL, workloadName } from './names.ts'

export interface ContainerContext {
  kind: 'podman' | 'docker'
  instance: string
  imageId: string
  /** A path for podman, the profile itself for Docker. */
  seccomp: string
  /** Folder of each volume on the order's disk. */
  volumeFolders: ReadonlyMap<string, string>
  /** The hard limit of open files on this machine: more cannot be asked for. */
  maxOpenFiles: number
}

const PIDS = 512
const SHM_BYTES = 64 * 2 ** 20
const SCRATCH_BYTES = 16 * 2 ** 20
/** Engines add unsized memory filesystems here to a read-only root. */
const SCRATCH = ['/run', '/var/tmp']

/** The walls of one container. Every line of it has a test that tries to get through from inside. */
export function containerOptions(workload: Workload, context: ContainerContext): ContainerCreateOptions {
  const { app, allowance } = workload
  const name = workloadName(context.instance, workload.orderId)
  const tmpfs: Record<string, string> = {}
  for (const path of SCRATCH) tmpfs[path] = `size=${SCRATCH_BYTES},mode=1777,nosuid,nodev,noexec`
  for (const { path, sizeBytes } of app.tmpfs) tmpfs[path] = `size=${sizeBytes},mode=1777,nosuid,nodev`
  const env = { ...app.env, ...workload.env }
  return {
    name,
    Image: context.imageId,
    User: `${app.uid}:${app.gid}`,
    ...(app.command ? { Entrypoint: app.command } : {}),
    ...(app.args ? { Cmd: app.args } : {}),
    ...(app.workingDir ? { WorkingDir: app.workingDir } : {}),
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Hostname: app.name,
    Labels: {
      [LABEL.instance]: context.instance,
      [LABEL.order]: String(workload.orderId),
      [LABEL.deployment]: workload.deploymentId,
      [LABEL.slot]: String(workload.slot),
    },
    HostConfig: {
      Memory: allowance.memoryBytes,
      MemorySwap: allowance.memoryBytes,
      NanoCpus: Math.round(allowance.cores * 1e9),
      PidsLimit: PIDS,
      ReadonlyRootfs: true,
      Tmpfs: tmpfs,
      CapDrop: ['ALL'],
      CapAdd: app.addCapabilities,
      SecurityOpt: ['no-new-privileges', `seccomp=${context.seccomp}`],
      // Docker remaps user ids for the whole daemon, not for one container.
      ...(context.kind === 'podman' ? { UsernsMode: 'auto:size=65536' } : {}),
      NetworkMode: name,
      IpcMode: 'private',
      ShmSize: SHM_BYTES,
      Init: true,
      Ulimits: [
        { Name: 'nofile', Soft: Math.min(16_384, context.maxOpenFiles), Hard: Math.min(16_384, context.maxOpenFiles) },
        { Name: 'nproc', Soft: PIDS, Hard: PIDS },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      Binds: app.volumes.map(({ name: volume, path }) => {
        const folder = context.volumeFolders.get(volume)
        if (!folder) throw new Error(`volume ${volume} has no folder`)
        // podman gives the folder to the user of the container; for Docker, which knows none of these words but rw, the agent did.
        return `${folder}:${path}:${context.kind === 'podman' ? 'U,rw,nosuid,nodev' : 'rw'}`
      }),
      LogConfig:
        context.kind === 'podman'
          ? { Type: 'k8s-file', Config: { 'max-size': '10m' } }
          : { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '1' } },
      ...(allowance.gpus.length > 0 ? gpuOptions(context.kind, allowance.gpus) : {}),
    },
  } as ContainerCreateOptions
}

/** Whole GPUs only: by CDI for podman, by the NVIDIA runtime's device request for Docker. */
function gpuOptions(kind: 'podman' | 'docker', gpus: readonly number[]) {
  return kind === 'podman'
    ? { Devices: gpus.map((gpu) => ({ PathOnHost: `nvidia.com/gpu=${gpu}`, PathInContainer: '', CgroupPermissions: '' })) }
    : { DeviceRequests: [{ Driver: 'nvidia', DeviceIDs: gpus.map(String), Capabilities: [['gpu']] }] }
}
