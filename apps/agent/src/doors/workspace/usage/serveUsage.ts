import { encodeJson } from '@rackfair/protocol/frames'
import type { UsageHistory, UsageNow } from '@rackfair/protocol/workspaceAnswers'
import { usageRequest } from '@rackfair/protocol/workspaceRequests'
import type { UsageMeter } from '../../../machine/usage/createUsageMeter.ts'
import type { UsageRing } from '../../../machine/usage/usageRing.ts'
import { parseRequest } from '../parseRequest.ts'
import { pause } from '../pause.ts'
import type { WorkspaceHandler } from '../WorkspaceChannel.ts'

const LIVE_MS = 2000

export interface UsageOptions {
  meter: UsageMeter
  ring: Pick<UsageRing, 'read'>
  gpuCount: (orderId: bigint) => number
  /** What the runtime calls a service of an order. */
  keyOf?: (orderId: bigint, service: string) => string | undefined
  liveMs?: number
}

/** What an order's application uses of what was bought: seven days back, and now. */
export function createUsageHandler({ meter, ring, gpuCount, keyOf, liveMs = LIVE_MS }: UsageOptions): WorkspaceHandler {
  return async (orderId, request, channel) => {
    const { history, live, service } = parseRequest(usageRequest, request)
    const key = service === undefined ? undefined : (keyOf?.(orderId, service) ?? '')
    const measure = () => meter.measure(orderId, key)
    let before = await measure()
    await channel.write(encodeJson(before ? meter.limits(before) : { type: 'limits', gpus: [] }))
    if (history && service === undefined) {
      const points = ring.read(orderId, gpuCount(orderId), history)
      await channel.write(encodeJson({ type: 'history', points } satisfies UsageHistory))
    }
    while (live && !channel.signal.aborted) {
      await pause(liveMs, channel.signal)
      if (channel.signal.aborted) return
      const after = await measure()
      // An application that began meanwhile has limits of its own.
      if (after && after.start !== before?.start) await channel.write(encodeJson(meter.limits(after)))
      const point = before && after && meter.between(before, after)
      if (point) await channel.write(encodeJson({ type: 'now', point } satisfies UsageNow))
      before = after
    }
  }
}
