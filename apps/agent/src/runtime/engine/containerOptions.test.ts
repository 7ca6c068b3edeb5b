import { asApplication } from '@rackfair/app-spec/services/Application'
import { describe, expect, it } from 'vitest'
import { loadCatalog } from '../../presets/loadCatalog.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import { containerOptions } from './containerOptions.ts'
import { podmanSpec } from './podmanSpec.ts'
import { openFilesOf } from './tenantLimits.ts'

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
      NanoCpus: (Number(cpu.quota) / Number(cpu.period)) * 1e9,
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
    expect(podman.r_limits).toContainEqual({ type: 'NOFILE', soft: 10_000, hard: 10_000 })
    expect(Object.entries(docker?.Tmpfs ?? {})).toEqual(
      podman.mounts.filter(({ type }) => type === 'tmpfs').map((one) => [one.destination, one.options.join(',')]),
    )
    expect(podman.netns).toEqual({ nsmode: 'none' })
    // The disk itself is mounted nodev and nosuid: see orderDisk.
    expect(podman.mounts).toContainEqual({
      ...{ destination: '/srv/www', type: 'bind', source: '/volumes/1/mnt/site' },
      options: ['rbind', 'rw', 'nosuid', 'nodev', 'U'],
    })
    expect(docker?.Binds).toEqual(['/volumes/1/mnt/site:/srv/www:rw'])
  })

  const asked = (bought = { cores: 2, memoryBytes: 2 ** 29 }, sharedMemory?: number) => {
    const nginx = loadCatalog().get(NGINX)?.app
    if (!nginx) throw new Error('no nginx')
    const own = { user: undefined, registry: undefined, ports: [], job: undefined, sandbox: undefined, files: [], sharedMemory }
    const app = sharedMemory === undefined ? nginx : { ...nginx, own }
    const workload = {
      orderId: 1n,
      deploymentId: 'd',
      slot: 0,
      app,
      env: {},
      allowance: { ...bought, diskBytes: 1e9, gpus: [] },
    }
    const context = {
      ...{ instance: 'abcdef', imageId: 'f'.repeat(64), seccomp: 'profile', maxOpenFiles: 10_000, cpus: '0,1' },
      ...{ resolvers: ['1.1.1.1'], volumeFolders: new Map([['site', '/volumes/1/mnt/site']]) },
    }
    const podman = podmanSpec(workload, {
      ...context,
      name: 'one',
      firstUserId: 3_000_000_000,
      address: '10.128.0.2',
      files: {},
      outputFile: '/output',
      toolsFolder: undefined,
    })
    return { podman, docker: containerOptions(workload, context).HostConfig }
  }

  it.each<[{ cores?: number; memoryBytes?: number; sharedMemory?: number }, { processes: number; shared: number }]>([
    [{ cores: 1 }, { processes: 2048, shared: 2 ** 28 }],
    [{ cores: 0.5 }, { processes: 2048, shared: 2 ** 28 }],
    [{ cores: 16 }, { processes: 4096, shared: 2 ** 28 }],
    [{ cores: 15.5 }, { processes: 4096, shared: 2 ** 28 }],
    [{ memoryBytes: 2 ** 40 }, { processes: 2048, shared: 2 ** 39 }],
    [{ sharedMemory: 2 ** 29 }, { processes: 2048, shared: 2 ** 29 }],
    [{ sharedMemory: 2 ** 20 }, { processes: 2048, shared: 2 ** 20 }],
    // What lies there counts as the order's memory.
    [{ sharedMemory: 2 ** 40 }, { processes: 2048, shared: 2 ** 29 }],
  ])('grow with what was bought: %j', ({ sharedMemory, ...bought }, { processes, shared }) => {
    const { podman, docker } = asked({ cores: 1, memoryBytes: 2 ** 29, ...bought }, sharedMemory)
    expect([podman.shm_size, docker?.ShmSize]).toEqual([shared, shared])
    expect([podman.resource_limits.pids.limit, docker?.PidsLimit]).toEqual([processes, processes])
    expect(podman.r_limits).toContainEqual({ type: 'NPROC', soft: processes, hard: processes })
  })

  it('let a process open a million files, unless the kernel cannot hold those of all tenants', () => {
    expect(openFilesOf(2 ** 40)).toBe(1_048_576)
    expect(openFilesOf(2 ** 16)).toBe(4096)
  })

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
    const { app } = ownApplication(asApplication(spec), {})
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
        ...{
          name: 'one',
          instance: 'abcdef',
          imageId: 'f'.repeat(64),
          seccomp: 'profile',
          maxOpenFiles: 10_000,
          cpus: '0',
          resolvers: [],
        },
        ...{
          volumeFolders: new Map(),
          firstUserId: 3_000_000_000,
          address: '10.128.0.2',
          files: {},
          outputFile: '/output',
          toolsFolder: undefined,
        },
        own: {
          ...{ imageId: 'f'.repeat(64), side: 'a', root: '/root', volumes: new Map(), files: new Map(), user: '0:0' },
          config: { ...config, volumes: [], ports: [], hasHealthcheck: false, layers: [] },
        },
      },
    )
    expect(started).toMatchObject({ command: expected })
  })
})
