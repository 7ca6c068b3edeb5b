import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { Log } from '../../foundation/log.ts'
import type { OwnImages } from '../ownImageRules.ts'
import type { Workload } from '../Runtime.ts'
import { libpod } from './libpod.ts'
import { LABEL } from './names.ts'
import type { createOrderDisks } from './orderDisk.ts'
import { createOwnImages } from './ownImages.ts'
import { mountOwnRoot, type Side } from './ownRoot.ts'
import type { OwnContext } from './podmanSpec.ts'

/** Images that renters bring, and the roots that their containers stand on. Only with podman: Docker gives an order no user ids of its own. */
export function createOwnApps(parts: {
  docker: Docker
  instance: string
  folder: string
  settings: OwnImages
  disks: ReturnType<typeof createOrderDisks>
  log: Log
}) {
  const { docker, disks, log } = parts
  const images = createOwnImages({
    ...{ folder: parts.folder, settings: parts.settings, instance: parts.instance, log },
    removeFormer: (imageId) => libpod(docker, 'DELETE', `/images/${imageId}?force=true`),
    async used() {
      const all = await docker.listContainers({ all: true, filters: { label: [LABEL.image] } })
      return new Set(all.map(({ Labels }) => Labels[LABEL.image] ?? ''))
    },
  })

  return {
    ensure: images.ensure,
    find: images.find,
    forget: images.forget,
    ordersWithPulls: images.ordersWithPulls,
    close: images.close,

    /** Puts the root of a workload together on one side of the order's disk. */
    async prepare(workload: Workload, imageId: string, firstUserId: number, side: Side): Promise<OwnContext> {
      const { app, orderId, allowance } = workload
      const config = images.find(imageId)
      if (!config) throw new AppError('image_missing', 'the image is no longer on this machine', { retryable: true })
      await disks.mount(orderId, allowance.diskBytes, [])
      const user = app.own?.user ?? config.user
      const root = await mountOwnRoot({
        home: disks.home(orderId),
        root: disks.rootOf(orderId, app.service?.key, side),
        service: app.service?.key,
        side,
        layers: config.layers,
        firstUserId,
        volumes: app.volumes,
        files: app.own?.files ?? [],
        user,
        workingDir: app.workingDir ?? config.workingDir,
      })
      return { imageId, config, side, root: root.path, volumes: root.volumes, files: root.files, user: user || '0:0' }
    },
  }
}
