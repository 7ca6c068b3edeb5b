import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import type { Command } from '../../db/openAgentDb.ts'
import type { Application } from '../../presets/loadCatalog.ts'
import type { Allowance, OwnImage } from '../../runtime/Runtime.ts'
import type { PullProgress } from '../../runtime/registry/fetchImage.ts'
import type { Progress } from '../createProgress.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'

/** How often pull progress is reported to the platform: as often as a person would read it. */
const TELL_MS = 2000

/** The steps specific to a renter's own application: an image from a registry, and ports of this machine. */
export function createOwnSteps({ state, runtime, forwards }: OrderManagerOptions, { detail, publish }: Progress) {
  const detailsOf = (command: Command): DeploymentDetails => state.deployment(command.deploymentId)?.details ?? {}

  return {
    /** Fetches the image. The digest that its name resolves to is stored: this deployment runs no other. */
    async image(command: Command, { app }: Application, allowance: Allowance): Promise<string> {
      const { deploymentId } = command
      const known = detailsOf(command).image
      let toldAt = Number.NEGATIVE_INFINITY
      const tell = (pull: PullProgress) => {
        const isDone = pull.layers === pull.totalLayers
        if (!isDone && performance.now() - toldAt < TELL_MS) return
        toldAt = performance.now()
        if (!command.hasRun) publish(deploymentId, 'Pulling')
        detail(deploymentId, { pull })
      }
      const { imageId, image, notes }: OwnImage = await runtime.ensureOwnImage(app, known, {
        orderId: command.orderId,
        maxBytes: allowance.diskBytes,
        onPull: tell,
      })
      if (known !== image) detail(deploymentId, { image, notes })
      return imageId
    },

    /** Opens the ports of the application, and reports them. */
    async ports({ orderId, deploymentId }: Pick<Command, 'orderId' | 'deploymentId'>, { app }: Application): Promise<void> {
      const wanted = (app.own?.ports ?? []).flatMap(({ protocol, port }) => (protocol === 'http' ? [] : [{ protocol, port }]))
      const before = state.deployment(deploymentId)?.details?.ports ?? []
      const ports = await forwards.open(orderId, wanted, before)
      if (JSON.stringify(ports) !== JSON.stringify(before)) detail(deploymentId, { ports })
    },
  }
}
