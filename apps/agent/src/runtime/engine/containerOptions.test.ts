import { describe, expect, it } from 'vitest'
import { loadCatalog } from '../../presets/loadCatalog.ts'
import { type ContainerContext, containerOptions } from './containerOptions.ts'

const NGINX = 2

/** What podman makes of it is tried from inside in isolation.test.ts; Docker and GPUs were never run, only these options of theirs are checked. */
describe('what an engine is asked for', () => {
  it('names whole GPUs in the way of each engine, and none where none was bought', () => {
    expect(options('podman', [1, 3]).HostConfig).toMatchObject({
      Devices: [{ PathOnHost: 'nvidia.com/gpu=1' }, { PathOnHost: 'nvidia.com/gpu=3' }],
    })
    expect(options('docker', [1, 3]).HostConfig).toMatchObject({
      DeviceRequests: [{ Driver: 'nvidia', DeviceIDs: ['1', '3'], Capabilities: [['gpu']] }],
    })
    for (const kind of ['podman', 'docker'] as const) {
      expect(options(kind, []).HostConfig?.Devices).toBeUndefined()
      expect(options(kind, []).HostConfig?.DeviceRequests).toBeUndefined()
    }
  })

  it('is as closed with Docker as with podman, but for the user namespace, which Docker has for all containers or none', () => {
    const [podman, docker] = [options('podman', []).HostConfig, options('docker', []).HostConfig]
    for (const wall of [
      'Memory',
      'MemorySwap',
      'NanoCpus',
      'PidsLimit',
      'ReadonlyRootfs',
      'Tmpfs',
      'CapDrop',
      'CapAdd',
      'Ulimits',
    ] as const)
      expect(docker?.[wall], wall).toEqual(podman?.[wall])
    expect(docker).toMatchObject({ MemorySwap: 2 ** 29, ReadonlyRootfs: true, CapDrop: ['ALL'], IpcMode: 'private' })
    expect(docker?.SecurityOpt).toEqual(['no-new-privileges', 'seccomp=profile'])
    expect([podman?.UsernsMode, docker?.UsernsMode]).toEqual(['auto:size=65536', undefined])
    expect(docker?.NetworkMode).toBe(podman?.NetworkMode)
    // The disk itself is mounted without devices and set-user-id programs: see orderDisk.
    expect(podman?.Binds).toEqual(['/volumes/1/mnt/site:/srv/www:U,rw,nosuid,nodev'])
    expect(docker?.Binds).toEqual(['/volumes/1/mnt/site:/srv/www:rw'])
  })

  const options = (kind: ContainerContext['kind'], gpus: number[]) => {
    const app = loadCatalog().get(NGINX)?.app
    if (!app) throw new Error('no nginx')
    const allowance = { cores: 2, memoryBytes: 2 ** 29, diskBytes: 1e9, gpus }
    const context = { kind, instance: 'abcdef', imageId: 'f'.repeat(64), seccomp: 'profile', maxOpenFiles: 1024 }
    const volumeFolders = new Map([['site', '/volumes/1/mnt/site']])
    return containerOptions({ orderId: 1n, deploymentId: 'd', slot: 0, app, env: {}, allowance }, { ...context, volumeFolders })
  }
})
