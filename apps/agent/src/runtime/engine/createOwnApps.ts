import { basename, dirname } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import type { Log } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import type { OwnImages } from '../ownImageRules.ts'
import type { Workload } from '../Runtime.ts'
import { LAYOUT_NAME } from '../registry/ociLayout.ts'
import { engineError, isMissing } from './engineError.ts'
import { imageConfigOf } from './imageConfig.ts'
import { libpod } from './libpod.ts'
import { LABEL } from './names.ts'
import type { createOrderDisks } from './orderDisk.ts'
import { createOwnImages, importError } from './ownImages.ts'
import { mountOwnRoot } from './ownRoot.ts'
import { type PodmanPaths, podmanArguments, podmanEnvironment } from './podmanService.ts'
import type { OwnContext } from './podmanSpec.ts'

const IMPORT_MS = 30 * 60_000

/** Images that renters bring, and the roots that their containers stand on. Only with podman: Docker gives an order no user ids of its own. */
export function createOwnApps(parts: {
  docker: Docker
  paths: PodmanPaths
  folder: string
  settings: OwnImages
  disks: ReturnType<typeof createOrderDisks>
  log: Log
}) {
  const { docker, paths, disks, log } = parts
  const inspect = async (imageId: string) => {
    try {
      return imageConfigOf(await libpod(docker, 'GET', `/images/${imageId}/json`))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw engineError(error)
    }
  }
  const images = createOwnImages({
    folder: parts.folder,
    settings: parts.settings,
    inspect,
    log,
    async importLayout(folder) {
      // podman makes a name out of the path, for which the whole of it may not do.
      const reference = `oci:${basename(folder)}:${LAYOUT_NAME}`
      const { code, stdout, stderr } = await runCommand('podman', [...podmanArguments(paths), 'pull', '--quiet', reference], {
        env: podmanEnvironment(paths),
        timeoutMs: IMPORT_MS,
        cwd: dirname(folder),
      })
      const imageId = /([0-9a-f]{64})\s*$/.exec(stdout.trim())?.[1]
      if (code !== 0 || !imageId) throw importError(stderr)
      return imageId
    },
    removeImage: async (imageId) => void (await libpod(docker, 'DELETE', `/images/${imageId}?force=true`)),
    async used() {
      const all = await docker.listContainers({ all: true, filters: { label: [LABEL.image] } })
      return new Set(all.map(({ Labels }) => Labels[LABEL.image] ?? ''))
    },
  })

  return {
    ensure: images.ensure,
    forget: images.forget,
    ordersWithPulls: images.ordersWithPulls,
    close: images.close,

    /** Puts the root of a workload together on the order's disk. */
    async prepare(workload: Workload, imageId: string, firstUserId: number): Promise<OwnContext> {
      const { app, orderId, allowance } = workload
      const config = await inspect(imageId)
      if (!config) throw new AppError('image_missing', 'the image is no longer on this machine', { retryable: true })
      await disks.mount(orderId, allowance.diskBytes, [])
      const user = app.own?.user ?? config.user
      const root = await mountOwnRoot({
        home: disks.home(orderId),
        root: disks.rootOf(orderId, app.service?.key),
        service: app.service?.key,
        layers: config.layers,
        firstUserId,
        volumes: app.volumes,
        user,
        workingDir: app.workingDir ?? config.workingDir,
      })
      return { imageId, config, root: root.path, volumes: root.volumes, user: user || '0:0' }
    },
  }
}
