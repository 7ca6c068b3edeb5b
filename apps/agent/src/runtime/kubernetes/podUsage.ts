import type { V1Pod } from '@kubernetes/client-node'
import { z } from 'zod'
import type { OrderUsage } from '../Runtime.ts'
import type { ClusterClient } from './clusterClient.ts'
import { containerOf, startOf } from './podState.ts'

/** Several orders of one node share an answer: their renters poll every 2 s. */
const SHARED_MS = 1000

const count = z.number().min(0)
const summary = z.object({
  pods: z
    .array(
      z.object({
        podRef: z.object({ namespace: z.string() }),
        network: z.object({ rxBytes: count.optional(), txBytes: count.optional() }).optional(),
        process_stats: z.object({ process_count: count.optional() }).optional(),
        volume: z
          .array(z.object({ pvcRef: z.unknown().optional(), usedBytes: count.optional(), capacityBytes: count.optional() }))
          .optional(),
        containers: z
          .array(
            z.object({
              cpu: z.object({ usageCoreNanoSeconds: count.optional() }).optional(),
              memory: z.object({ workingSetBytes: count.optional() }).optional(),
            }),
          )
          .optional(),
      }),
    )
    .max(1000),
})
type Summary = z.infer<typeof summary>

/** What the kubelets count of the orders' pods, as `kubectl top` has it but without waiting for a metrics server. */
export function createPodUsage(cluster: Pick<ClusterClient, 'get'>) {
  const answers = new Map<string, { at: number; answer: Promise<Summary | undefined> }>()
  const summaryOf = (node: string) => {
    const shared = answers.get(node)
    if (shared && performance.now() - shared.at < SHARED_MS) return shared.answer
    const path = `/api/v1/nodes/${encodeURIComponent(node)}/proxy/stats/summary`
    const answer = cluster.get<unknown>(path).then((found) => (found === undefined ? undefined : summary.safeParse(found).data))
    answers.set(node, { at: performance.now(), answer })
    return answer
  }

  return async (pod: V1Pod): Promise<OrderUsage | undefined> => {
    const [node, namespace] = [pod.spec?.nodeName, pod.metadata?.namespace]
    if (!node || !containerOf(pod)?.state?.running) return undefined
    const found = (await summaryOf(node))?.pods.find((one) => one.podRef.namespace === namespace)
    const container = found?.containers?.[0]
    if (!found || !container) return undefined
    const limits = pod.spec?.containers[0]?.resources?.limits
    const disk = found.volume?.find(({ pvcRef }) => pvcRef !== undefined)
    return {
      start: startOf(pod),
      processorMicros: (container.cpu?.usageCoreNanoSeconds ?? 0) / 1000,
      cores: limits?.cpu ? Number.parseInt(limits.cpu, 10) / (limits.cpu.endsWith('m') ? 1000 : 1) : undefined,
      memoryBytes: container.memory?.workingSetBytes ?? 0,
      memoryLimitBytes: Number(limits?.memory) || undefined,
      processes: found.process_stats?.process_count ?? 0,
      receivedBytes: found.network?.rxBytes ?? 0,
      sentBytes: found.network?.txBytes ?? 0,
      disk: disk && { usedBytes: disk.usedBytes ?? 0, sizeBytes: disk.capacityBytes ?? 0 },
    }
  }
}
