import type { ContainerCreateOptions } from 'dockerode'
import { AGENTS_PATH, agentsVariable } from '../agentsFile.ts'
import type { Workload } from '../Runtime.ts'
import { dockerGpus } from './gpuDevices.ts'
import { LABEL, workloadName } from './names.ts'
import { openFilesOf, processesOf, sharedMemoryOf, TENANT_LIMITS, tmpfsMounts } from './tenantLimits.ts'

export interface ContainerContext {
  instance: string
  imageId: string
  /** A path for podman, the profile itself for Docker. */
  seccomp: string
  /** Folder of each volume on the order's disk. */
  volumeFolders: ReadonlyMap<string, string>
  /** This machine's hard limit of open files: a container cannot request more. */
  maxOpenFiles: number
  /** The processors that the container may run on, as the kernel writes them: `0-1,3`. */
  cpus: string
  /** The file of its `note` on this machine; undefined without one. */
  noteFile?: string | undefined
  /** DNS resolvers of the container. */
  resolvers: readonly string[]
}

/** The walls of one container as options of Docker's API; podmanSpec has the same for podman. */
export function containerOptions(workload: Workload, context: ContainerContext): ContainerCreateOptions {
  const { app, allowance } = workload
  const name = workloadName(context.instance, workload.orderId)
  const { processes, processLimit } = processesOf(workload)
  return {
    name,
    Image: context.imageId,
    User: `${app.uid}:${app.gid}`,
    ...(app.command ? { Entrypoint: app.command } : {}),
    ...(app.args ? { Cmd: app.args } : {}),
    ...(app.workingDir ? { WorkingDir: app.workingDir } : {}),
    Env: Object.entries({ ...agentsVariable(workload), ...app.env, ...workload.env }).map(([key, value]) => `${key}=${value}`),
    Hostname: app.name,
    Labels: workloadLabels(workload, context.instance),
    HostConfig: {
      Memory: allowance.memoryBytes,
      MemorySwap: allowance.memoryBytes,
      NanoCpus: Math.round(allowance.cores * 1e9),
      CpusetCpus: context.cpus,
      PidsLimit: processes,
      ReadonlyRootfs: true,
      Tmpfs: tmpfsMounts(app.tmpfs),
      CapDrop: ['ALL'],
      CapAdd: app.addCapabilities,
      SecurityOpt: ['no-new-privileges', `seccomp=${context.seccomp}`],
      NetworkMode: name,
      Dns: [...context.resolvers],
      IpcMode: 'private',
      ShmSize: sharedMemoryOf(workload),
      Init: true,
      Ulimits: resourceLimits(context.maxOpenFiles, processLimit).map(({ name: Name, most }) => ({
        Name,
        Soft: most,
        Hard: most,
      })),
      // Docker knows none of podman's words but rw; the agent gave the folder to the user of the container.
      Binds: [
        ...volumeMounts(workload, context).map(({ folder, path }) => `${folder}:${path}:rw`),
        ...(context.noteFile ? [`${context.noteFile}:${AGENTS_PATH}:ro`] : []),
      ],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '1' } },
      ...dockerGpus(allowance.gpus),
    },
  }
}

export function workloadLabels(workload: Workload, instance: string): Record<string, string> {
  return {
    [LABEL.instance]: instance,
    [LABEL.order]: String(workload.orderId),
    [LABEL.deployment]: workload.deploymentId,
    [LABEL.slot]: String(workload.slot),
    ...serviceLabels(workload),
  }
}

function serviceLabels({ app: { service } }: Workload): Record<string, string> {
  if (!service) return {}
  const { key, names } = service
  return { ...(key === undefined ? {} : { [LABEL.service]: key }), [LABEL.services]: JSON.stringify(names) }
}

export function resourceLimits(maxOpenFiles: number, processes: number): { name: string; most: number }[] {
  return [
    { name: 'nofile', most: Math.min(openFilesOf(), maxOpenFiles) },
    { name: 'nproc', most: processes },
    { name: 'sigpending', most: TENANT_LIMITS.pendingSignals },
    { name: 'core', most: 0 },
  ]
}

export function volumeMounts({ app }: Workload, { volumeFolders }: ContainerContext): { folder: string; path: string }[] {
  return app.volumes.map(({ name, path }) => {
    const folder = volumeFolders.get(name)
    if (!folder) throw new Error(`volume ${name} has no folder`)
    return { folder, path }
  })
}
