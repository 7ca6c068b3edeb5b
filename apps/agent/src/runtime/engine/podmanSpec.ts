import type { Workload } from '../Runtime.ts'
import { type ContainerContext, resourceLimits, volumeMounts, workloadLabels } from './containerOptions.ts'
import { podmanGpus } from './gpuDevices.ts'
import { workloadName } from './names.ts'
import { OUTPUT_FILE_BYTES } from './outputFiles.ts'
import { SHM_BYTES, TENANT_LIMITS, tmpfsMounts } from './tenantLimits.ts'
import { IDS_PER_ORDER } from './userIds.ts'

export interface PodmanContext extends ContainerContext {
  /** The user id outside that is 0 inside. */
  firstUserId: number
  /** Files of the agent that the container sees in place of this machine's own: the path outside by the path inside. */
  files: Readonly<Record<string, string>>
  /** Where its output is written to. */
  outputFile: string
}

const CPU_PERIOD_US = 100_000

/**
 * The walls of one container, as podman's own API takes them: the one that imitates Docker's knows no terminals with a limit and no
 * networks without its resolver. Every line has a test that tries to get through from inside.
 */
export function podmanSpec(workload: Workload, context: PodmanContext) {
  const { app, allowance } = workload
  const name = workloadName(context.instance, workload.orderId)
  const ids = [{ container_id: 0, host_id: context.firstUserId, size: IDS_PER_ORDER }]
  return {
    name,
    image: context.imageId,
    user: `${app.uid}:${app.gid}`,
    ...(app.command ? { entrypoint: app.command } : {}),
    ...(app.args ? { command: app.args } : {}),
    ...(app.workingDir ? { work_dir: app.workingDir } : {}),
    env: { ...app.env, ...workload.env },
    hostname: app.name,
    labels: workloadLabels(workload, context.instance),
    init: true,
    systemd: 'false',
    resource_limits: {
      memory: { limit: allowance.memoryBytes, swap: allowance.memoryBytes },
      cpu: { period: CPU_PERIOD_US, quota: Math.round(allowance.cores * CPU_PERIOD_US), cpus: context.cpus },
      pids: { limit: TENANT_LIMITS.processes },
    },
    r_limits: resourceLimits(context.maxOpenFiles).map(({ name: type, most }) => ({
      type: type.toUpperCase(),
      soft: most,
      hard: most,
    })),
    read_only_filesystem: true,
    // An image's own volumes would lie outside of the order's disk.
    image_volume_mode: 'ignore',
    cap_drop: ['ALL'],
    cap_add: app.addCapabilities,
    no_new_privileges: true,
    seccomp_profile_path: context.seccomp,
    userns: { nsmode: 'private' },
    idmappings: { UIDMap: ids, GIDMap: ids },
    ipcns: { nsmode: 'private' },
    netns: { nsmode: 'bridge' },
    Networks: { [name]: {} },
    use_image_hosts: true,
    use_image_resolve_conf: true,
    shm_size: SHM_BYTES,
    mounts: [
      {
        destination: '/dev/pts',
        type: 'devpts',
        source: 'devpts',
        options: [
          ...['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
          `max=${TENANT_LIMITS.terminals}`,
        ],
      },
      ...Object.entries(tmpfsMounts(app.tmpfs)).map(([destination, options]) => ({
        ...{ destination, type: 'tmpfs', source: 'tmpfs' },
        options: options.split(','),
      })),
      ...Object.entries(context.files).map(([destination, source]) => ({
        ...{ destination, type: 'bind', source },
        options: ['bind', 'ro', 'nosuid', 'nodev', 'noexec'],
      })),
      ...volumeMounts(workload, context).map(({ folder, path }) => ({
        ...{ destination: path, type: 'bind', source: folder },
        // U gives the folder to the user of the container.
        options: ['rbind', 'rw', 'nosuid', 'nodev', 'U'],
      })),
    ],
    log_configuration: { driver: 'k8s-file', path: context.outputFile, size: OUTPUT_FILE_BYTES },
    ...podmanGpus(allowance.gpus),
  }
}
