import type { V1Pod } from '@kubernetes/client-node'
import { z } from 'zod'
import type { OrderUsage } from '../Runtime.ts'
import type { ClusterClient } from './clusterClient.ts'

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
              name: z.string(),
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

  /** Of all containers together, or of one service. */
  return async (pod: V1Pod, part?: string): Promise<OrderUsage | undefined> => {
    const [node, namespace] = [pod.spec?.nodeName, pod.metadata?.namespace]
    const running = pod.status?.containerStatuses?.filter(({ name, state }) => state?.running && (part ?? name) === name) ?? []
    if (!node || running.length === 0) return undefined
    const found = (await summaryOf(node))?.pods.find((one) => one.podRef.namespace === namespace)
    const counted = found?.containers?.filter(({ name }) => (part ?? name) === name) ?? []
    if (!found || counted.length === 0) return undefined
    const limits = (pod.spec?.containers ?? [])
      .filter(({ name }) => (part ?? name) === name)
      .map(({ resources }) => resources?.limits)
    const disk = found.volume?.find(({ pvcRef }) => pvcRef !== undefined)
    return {
      start: running.map(({ state }) => `${pod.metadata?.uid} ${String(state?.running?.startedAt)}`).join(),
      processorMicros: sum(counted.map(({ cpu }) => cpu?.usageCoreNanoSeconds)) / 1000,
      cores: sum(limits.map((one) => coresOf(one?.cpu))) || undefined,
      memoryBytes: sum(counted.map(({ memory }) => memory?.workingSetBytes)),
      memoryLimitBytes: sum(limits.map((one) => Number(one?.memory) || 0)) || undefined,
      processes: found.process_stats?.process_count ?? 0,
      receivedBytes: found.network?.rxBytes ?? 0,
      sentBytes: found.network?.txBytes ?? 0,
      disk: disk && { usedBytes: disk.usedBytes ?? 0, sizeBytes: disk.capacityBytes ?? 0 },
    }
  }
}

const sum = (ones: readonly (number | undefined)[]): number => ones.reduce<number>((all, one) => all + (one ?? 0), 0)
const coresOf = (cpu = ''): number => (Number.parseInt(cpu, 10) || 0) / (cpu.endsWith('m') ? 1000 : 1)
