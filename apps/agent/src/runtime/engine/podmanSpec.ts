import { AppError } from '@rackfair/rules/errors/AppError'
import { AGENTS_PATH, agentsVariable, TOOLS_PATH } from '../agentsFile.ts'
import type { Workload } from '../Runtime.ts'
import { type ContainerContext, resourceLimits, volumeMounts, workloadLabels } from './containerOptions.ts'
import { podmanGpus } from './gpuDevices.ts'
import { SANDBOX_ANNOTATION } from './gvisor.ts'
import type { ImageConfig } from './imageConfig.ts'
import { LABEL } from './names.ts'
import { cgroupOf } from './orderCgroup.ts'
import { outputFileBytes } from './outputFiles.ts'
import type { Side } from './ownRoot.ts'
import { processesOf, sharedMemoryOf, TENANT_LIMITS, tmpfsMounts } from './tenantLimits.ts'
import { IDS_PER_ORDER } from './userIds.ts'

export interface PodmanContext extends ContainerContext {
  /** Of the container. */
  name: string
  /** Of the container, on its order's network. */
  address: string
  /** The user id outside that is 0 inside. */
  firstUserId: number
  /** Files of the agent that the container sees in place of this machine's own: the path outside by the path inside. */
  files: Readonly<Record<string, string>>
  /** Programs of the agent's that its user may run in it; undefined where this machine has none. */
  toolsFolder: string | undefined
  /** Where its output is written to. */
  outputFile: string
  /** Of an application of the renter's own. */
  own?: OwnContext
}

/** The root of an own application, put together, and what its image says of itself. */
export interface OwnContext {
  imageId: string
  config: ImageConfig
  side: Side
  root: string
  /** Folder outside of each volume, by its path inside. */
  volumes: ReadonlyMap<string, string>
  /** File outside of each that it was given, by its path inside. */
  files: ReadonlyMap<string, string>
  user: string
}

/**
 * What images expect of root inside: to own, read and change any file of the order's, to become another user, to end its processes, to
 * listen at port 80, and chroot for sshd. All of it within the user ids of the order.
 */
const OWN_CAPABILITIES = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID', 'SYS_CHROOT'],
]
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const CPU_PERIOD_US = 100_000
/** Processes of the engine beside those of a container, while commands are begun in it. */
export const HELPERS = 32

/**
 * The walls of one container, as podman's own API takes them: the one that imitates Docker's knows no terminals with a limit and no
 * networks without its resolver. Every line has a test that tries to get through from inside.
 */
export function podmanSpec(workload: Workload, context: PodmanContext) {
  const { app, allowance } = workload
  const isSandboxed = app.own?.sandbox !== undefined
  const limits = processesOf(workload)
  const ids = [{ container_id: 0, host_id: context.firstUserId, size: IDS_PER_ORDER }]
  return {
    name: context.name,
    ...(context.own ? ownProcess(workload, context.own) : presetProcess(workload, context)),
    hostname: app.service?.names[app.service.place]?.[0] ?? app.name,
    labels: {
      ...workloadLabels(workload, context.instance),
      [LABEL.address]: context.address,
      ...(context.own ? { [LABEL.image]: context.own.imageId } : {}),
      ...(context.own && context.own.side !== 'a' ? { [LABEL.side]: context.own.side } : {}),
      ...(isSandboxed ? { [LABEL.sandbox]: 'gvisor' } : {}),
    },
    init: true,
    systemd: 'false',
    ...(app.service ? { cgroup_parent: cgroupOf(context.instance, workload.orderId) } : {}),
    resource_limits: limitsOf(workload, limits.processes, context.cpus),
    r_limits: resourceLimits(context.maxOpenFiles, limits.processLimit).map(({ name: type, most }) => ({
      type: type.toUpperCase(),
      soft: most,
      hard: most,
    })),
    read_only_filesystem: !context.own,
    // An image's own volumes would lie outside of the order's disk.
    image_volume_mode: 'ignore',
    cap_drop: ['ALL'],
    cap_add: context.own ? OWN_CAPABILITIES : app.addCapabilities,
    no_new_privileges: true,
    seccomp_profile_path: context.seccomp,
    // runsc makes no mounts in a user namespace: the kernel that it puts between takes its place.
    ...(isSandboxed
      ? { userns: { nsmode: 'host' }, annotations: { [SANDBOX_ANNOTATION]: app.own?.sandbox } }
      : { userns: { nsmode: 'private' }, idmappings: { UIDMap: ids, GIDMap: ids } }),
    ipcns: { nsmode: 'private' },
    // The agent lays the link itself: what the engine leaves of one when it tidies up late would keep the next from its address.
    netns: { nsmode: 'none' },
    use_image_hosts: true,
    use_image_resolve_conf: true,
    shm_size: sharedMemoryOf(workload),
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
      ...Object.entries(context.own ? {} : tmpfsMounts(app.tmpfs)).map(([destination, options]) => ({
        ...{ destination, type: 'tmpfs', source: 'tmpfs' },
        options: options.split(','),
      })),
      ...(context.toolsFolder
        ? [{ destination: TOOLS_PATH, type: 'bind', source: context.toolsFolder, options: ['bind', 'ro', 'nosuid', 'nodev'] }]
        : []),
      ...Object.entries({ ...context.files, ...(context.noteFile ? { [AGENTS_PATH]: context.noteFile } : {}) }).map(
        ([destination, source]) => ({
          ...{ destination, type: 'bind', source },
          options: ['bind', 'ro', 'nosuid', 'nodev', 'noexec'],
        }),
      ),
      ...(context.own ? [] : volumeMounts(workload, context)).map(({ folder, path }) => ({
        ...{ destination: path, type: 'bind', source: folder },
        // U gives the folder to the user of the container.
        options: ['rbind', 'rw', 'nosuid', 'nodev', 'U'],
      })),
      ...(context.own ? ownMounts(context.own) : []),
    ],
    log_configuration: { driver: 'k8s-file', path: context.outputFile, size: outputFileBytes(app.service?.names.length) },
    ...podmanGpus(allowance.gpus),
  }
}

/** Files stand behind the volumes, in which they may lie. */
function ownMounts({ volumes, files }: OwnContext) {
  const mount = (options: string[]) => (one: [path: string, source: string]) => ({
    ...{ destination: one[0], type: 'bind', source: one[1] },
    options: [...options, 'nosuid', 'nodev'],
  })
  return [...[...volumes].map(mount(['rbind', 'rw'])), ...[...files].map(mount(['bind', 'ro']))]
}

/** What the container may take. Of several services, the cgroup above all of them has what their order bought. */
function limitsOf({ app: { service }, allowance }: Workload, processes: number, cpus: string) {
  const memory = service ? service.memory[service.place] : allowance.memoryBytes
  return {
    memory: { limit: memory, swap: memory },
    cpu: service ? { cpus } : { period: CPU_PERIOD_US, quota: Math.round(allowance.cores * CPU_PERIOD_US), cpus },
    // One that has all of them would leave none for the engine's helpers of the others, which are counted with the order.
    pids: { limit: service ? processes - HELPERS * (service.names.length - 1) : processes },
  }
}

function presetProcess(workload: Workload, { imageId }: PodmanContext) {
  const { app, env } = workload
  return {
    image: imageId,
    user: `${app.uid}:${app.gid}`,
    ...(app.command ? { entrypoint: app.command } : {}),
    ...(app.args ? { command: app.args } : {}),
    ...(app.workingDir ? { work_dir: app.workingDir } : {}),
    env: { ...agentsVariable(workload), ...app.env, ...env },
  }
}

/** A container on a root of its own has no image that the engine would read these from. */
function ownProcess(workload: Workload, { config, root, user }: OwnContext) {
  const { app, env } = workload
  const command = app.command ?? config.entrypoint
  const args = app.args ?? (app.command ? [] : config.command)
  if (command.length + args.length === 0) throw new AppError('start_failed', 'the image names no command to start; give one')
  const workingDir = app.workingDir ?? config.workingDir
  const ofImage = config.env.map((line): [string, string] => {
    const equals = line.indexOf('=')
    return equals < 0 ? [line, ''] : [line.slice(0, equals), line.slice(equals + 1)]
  })
  return {
    rootfs: root,
    user,
    command: [...command, ...args],
    ...(workingDir === '' ? {} : { work_dir: workingDir }),
    env: { PATH: DEFAULT_PATH, ...agentsVariable(workload), ...Object.fromEntries(ofImage), ...app.env, ...env },
    ...(config.stopSignal === undefined ? {} : { stop_signal: config.stopSignal }),
    // A program that runs as nobody in particular listens at port 80 as elsewhere: the network is the order's own.
    sysctl: { 'net.ipv4.ip_unprivileged_port_start': '0' },
  }
}
