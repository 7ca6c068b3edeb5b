import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import type { Command } from '../../db/openAgentDb.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { RunSpec } from '../../runtime/RunSpec.ts'
import type { Allowance, OwnImage } from '../../runtime/Runtime.ts'
import type { PullProgress } from '../../runtime/registry/fetchImage.ts'
import { imageDigest } from '../../uptime/createPromises.ts'
import type { Progress } from '../createProgress.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'

/** How often pull progress is reported to the platform: as often as a person would read it. */
const TELL_MS = 2000
/** Of all images together. */
const MAX_NOTES = 32

/** The steps specific to a renter's own application: an image from a registry, and ports of this machine. */
export function createOwnSteps({ state, runtime, forwards }: OrderManagerOptions, { detail, publish }: Progress) {
  const detailsOf = (command: Command): DeploymentDetails => state.deployment(command.deploymentId)?.details ?? {}

  return {
    /**
     * Fetches the images of all services, in their order. The digests that their names resolve to are stored: this deployment runs no
     * others.
     */
    async images(command: Command, { app, services }: Application, allowance: Allowance): Promise<string[]> {
      if (!services) return [(await fetchImage(command, app, detailsOf(command).image, allowance)).imageId]
      const known = detailsOf(command).images ?? []
      const all: { service: string; image: OwnImage }[] = []
      for (const { name, app: its } of services) {
        const before = known.find(({ service }) => service === name)?.image
        all.push({ service: name, image: await fetchImage(command, its, before, allowance) })
      }
      const images = all.flatMap(({ service, image: { image, imageId } }) => {
        const digest = imageDigest(imageId)
        return digest ? [{ service, image, digest }] : []
      })
      if (JSON.stringify(known) !== JSON.stringify(images))
        detail(command.deploymentId, { images, notes: all.flatMap(({ image }) => image.notes).slice(0, MAX_NOTES) })
      return all.map(({ image }) => image.imageId)
    },

    /** Opens the ports of the application, and reports them. */
    async ports(
      { orderId, deploymentId }: Pick<Command, 'orderId' | 'deploymentId'>,
      { app, services }: Application,
    ): Promise<void> {
      const all = services ?? [{ app, name: undefined }]
      const wanted = all.flatMap(({ app: its, name: service }) =>
        its.ports.flatMap(({ protocol, port }) =>
          protocol === 'http' ? [] : [{ protocol, port, ...(service === undefined ? {} : { service }) }],
        ),
      )
      const before = state.deployment(deploymentId)?.details?.ports ?? []
      const ports = await forwards.open(orderId, wanted, before)
      if (JSON.stringify(ports) !== JSON.stringify(before)) detail(deploymentId, { ports })
    },
  }

  async function fetchImage(command: Command, app: RunSpec, known: string | undefined, allowance: Allowance): Promise<OwnImage> {
    const { deploymentId } = command
    let toldAt = Number.NEGATIVE_INFINITY
    const tell = (pull: PullProgress) => {
      const isDone = pull.layers === pull.totalLayers
      if (!isDone && performance.now() - toldAt < TELL_MS) return
      toldAt = performance.now()
      if (!command.hasRun) publish(deploymentId, 'Pulling')
      detail(deploymentId, { pull })
    }
    const fetched = await runtime.ensureOwnImage(app, known, {
      orderId: command.orderId,
      maxBytes: allowance.diskBytes,
      share: allowance,
      onPull: tell,
    })
    const { image, notes } = fetched
    if (!app.service && known !== image) detail(deploymentId, { image, notes })
    return fetched
  }
}
