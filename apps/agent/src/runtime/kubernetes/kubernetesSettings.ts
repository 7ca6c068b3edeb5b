import { z } from 'zod'

const cidr = z.cidrv4()

/** Where and how orders run for a provider that offers a cluster instead of a machine. */
export const kubernetesSettings = z.strictObject({
  /** Path of a kubeconfig; by default the service account of the agent's pod. */
  kubeconfig: z.string().min(1).optional(),
  /** Orders run only on nodes with all of these labels. */
  nodeSelector: z.record(z.string().max(253), z.string().max(63)).default({}),
  /** Storage class of the orders' disks; by default the cluster's default class. */
  storageClass: z.string().max(253).optional(),
  /** Capacity of the storage class for orders' disks, in GB; no cluster reports it. */
  diskGb: z.number().int().min(1).max(1e9),
  /** Registry with the built images of presets: it replaces `localhost` in their names. */
  registry: z.string().max(253).optional(),
  /** Addresses from which this agent connects to the pods. */
  agentAddresses: z.array(cidr).max(16).default([]),
  /** The RuntimeClass of gVisor; if omitted, the cluster has none. */
  sandboxClass: z.string().max(253).optional(),
  /**
   * The bridge of the pods on this machine and their addresses, for a cluster network that enforces no policies: the agent then isolates
   * the pods itself. Every pod on the bridge is treated as a tenant's, except those at `openPods`.
   */
  wall: z
    .strictObject({ bridge: z.string().regex(/^[\w.-]{1,15}$/), subnet: cidr, openPods: z.array(z.ipv4()).max(64).default([]) })
    .optional(),
})
export type KubernetesSettings = z.infer<typeof kubernetesSettings>
