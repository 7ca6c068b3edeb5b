import { AppError } from '@rackfair/rules/errors/AppError'
import { imageDigest } from '../../uptime/createPromises.ts'
import type { Progress } from '../createProgress.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'
import type { Run } from './Run.ts'

/**
 * Promises the image that a deployment gets first, and holds it to that. Two signatures of the operator that contradict each other prove
 * the provider wrong, and monitors keep the first promise: where the image was lost and cannot be made again, only a new deployment may
 * run another.
 *
 * @throws AppError `image_changed` if another image than the promised one would be started.
 */
export async function promiseImage(
  { state, promise }: Pick<OrderManagerOptions, 'state' | 'promise'>,
  { detail }: Pick<Progress, 'detail'>,
  { command, order }: Pick<Run, 'command' | 'order'>,
  imageId: string,
): Promise<void> {
  const { orderId, deploymentId } = command
  const promised = state.deployment(deploymentId)?.details?.promise?.image
  const actual = imageDigest(imageId)
  if (promised !== undefined && promised !== actual)
    throw new AppError(
      'image_changed',
      `this deployment promised the image ${promised.slice(2, 14)}, which this machine lost; what it can get now is ${actual?.slice(2, 14) ?? imageId} and was not started. The data is kept; deploy again to run that`,
    )
  if (promised !== undefined) return
  const spec = command.app ?? String(command.deployId)
  const made = await promise({ market: order.market, orderId, deploymentId, spec, imageId })
  if (made) detail(deploymentId, { promise: made })
}
