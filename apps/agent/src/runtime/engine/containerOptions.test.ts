import { describe, expect, it } from 'vitest'
import { loadCatalog } from '../../presets/loadCatalog.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import { containerOptions } from './containerOptions.ts'
import { podmanSpec } from './podmanSpec.ts'

const NGINX = 2

/**
 * isolation.test.ts tests from inside what podman makes of these options. Docker has never been run; only the options passed to it are
 * checked.
 */
describe('container options', () => {
  it('are as restrictive with Docker as with podman, as far as Docker allows', () => {
    const { podman, docker } = asked()
    const { memory, cpu, pids } = podman.resource_limits
    expect(docker).toMatchObject({
      Memory: memory.limit,
      MemorySwap: memory.swap,
      NanoCpus: (cpu.quota / cpu.period) * 1e9,
      CpusetCpus: cpu.cpus,
      PidsLimit: pids.limit,
      ReadonlyRootfs: podman.read_only_filesystem,
      CapDrop: podman.cap_drop,
      CapAdd: podman.cap_add,
      IpcMode: podman.ipcns.nsmode,
      ShmSize: podman.shm_size,
      SecurityOpt: ['no-new-privileges', `seccomp=${podman.seccomp_profile_path}`],
    })
    expect(memory).toEqual({ limit: 2 ** 29, swap: 2 ** 29 })
    expect(podman).toMatchObject({ read_only_filesystem: true, cap_drop: ['ALL'], no_new_privileges: true })
    expect(docker?.Ulimits).toEqual(
      podman.r_limits.map(({ type, soft }) => ({ Name: type.toLowerCase(), Soft: soft, Hard: soft })),
    )
    expect(podman.r_limits).toContainEqual({ type: 'NOFILE', soft: 4096, hard: 4096 })
    expect(Object.entries(docker?.Tmpfs ?? {})).toEqual(
      podman.mounts.filter(({ type }) => type === 'tmpfs').map((one) => [one.destination, one.options.join(',')]),
    )
    expect(Object.keys(podman.Networks)).toEqual([docker?.NetworkMode])
    // The disk itself is mounted nodev and nosuid: see orderDisk.
    expect(podman.mounts).toContainEqual({
      ...{ destination: '/srv/www', type: 'bind', source: '/volumes/1/mnt/site' },
      options: ['rbind', 'rw', 'nosuid', 'nodev', 'U'],
    })
    expect(docker?.Binds).toEqual(['/volumes/1/mnt/site:/srv/www:rw'])
  })

  const asked = () => {
    const app = loadCatalog().get(NGINX)?.app
    if (!app) throw new Error('no nginx')
    const workload = {
      orderId: 1n,
      deploymentId: 'd',
      slot: 0,
      app,
      env: {},
      allowance: { cores: 2, memoryBytes: 2 ** 29, diskBytes: 1e9, gpus: [] },
    }
    const context = {
      ...{ instance: 'abcdef', imageId: 'f'.repeat(64), seccomp: 'profile', maxOpenFiles: 10_000, cpus: '0,1' },
      ...{ resolvers: ['1.1.1.1'], volumeFolders: new Map([['site', '/volumes/1/mnt/site']]) },
    }
    const podman = podmanSpec(workload, {
      ...context,
      firstUserId: 3_000_000_000,
      files: {},
      outputFile: '/output',
      toolsFolder: undefined,
    })
    return { podman, docker: containerOptions(workload, context).HostConfig }
  }

  it.each([
    [undefined, undefined, ['/entry', 'serve', '--fast']],
    [undefined, ['a'], ['/entry', 'a']],
    // Empty arguments are none, and not those of the image.
    [undefined, [], ['/entry']],
    [['sh'], undefined, ['sh']],
    [['sh'], ['-c', 'a'], ['sh', '-c', 'a']],
  ])('start the command %j with the arguments %j of an own application', (command, args, expected) => {
    const spec = {
      image: 'docker.io/a/b:1',
      env: {},
      secrets: [],
      ports: [],
      volumes: [],
      ...(command && { command }),
      ...(args && { args }),
    }
    const { app } = ownApplication(spec, {})
    const allowance = { cores: 1, memoryBytes: 2 ** 29, diskBytes: 1e9, gpus: [] }
    const config = {
      entrypoint: ['/entry'],
      command: ['serve', '--fast'],
      env: [],
      user: '',
      workingDir: '',
      stopSignal: undefined,
    }
    const started = podmanSpec(
      { orderId: 1n, deploymentId: 'd', slot: 0, app, env: {}, allowance },
      {
        ...{ instance: 'abcdef', imageId: 'f'.repeat(64), seccomp: 'profile', maxOpenFiles: 10_000, cpus: '0', resolvers: [] },
        ...{ volumeFolders: new Map(), firstUserId: 3_000_000_000, files: {}, outputFile: '/output', toolsFolder: undefined },
        own: {
          ...{ imageId: 'f'.repeat(64), root: '/root', volumes: new Map(), user: '0:0' },
          config: { ...config, volumes: [], ports: [], hasHealthcheck: false, layers: [] },
        },
      },
    )
    expect(started).toMatchObject({ command: expected })
  })
})
