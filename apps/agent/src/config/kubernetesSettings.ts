import { z } from 'zod'

const cidr = z.cidrv4()

/** Where and how the orders of a provider run that offers a cluster instead of one machine. */
export const kubernetesSettings = z.strictObject({
  /** kubectl's file; without, the service account of the pod that the agent runs in. */
  kubeconfig: z.string().min(1).optional(),
  /** Orders run on nodes with all of these labels only. */
  nodeSelector: z.record(z.string().max(253), z.string().max(63)).default({}),
  /** Of the disks; without, the cluster's default class. */
  storageClass: z.string().max(253).optional(),
  /** What the storage class holds of orders' disks, which no cluster says. */
  diskGb: z.number().int().min(1).max(1e9),
  /** Holds what the images of presets are built to: it takes the place of `localhost` in their names. */
  registry: z.string().max(253).optional(),
  /** From where this agent reaches the pods. */
  agentAddresses: z.array(cidr).max(16).default([]),
  /** The RuntimeClass of gVisor; without, the cluster has none. */
  sandboxClass: z.string().max(253).optional(),
  /**
   * The bridge of the pods on this machine and their addresses, where the cluster's network enforces no policies: then the agent walls it itself. Every pod
   * on it is a tenant's, but for those at `openPods`.
   */
  wall: z
    .strictObject({ bridge: z.string().regex(/^[\w.-]{1,15}$/), subnet: cidr, openPods: z.array(z.ipv4()).max(64).default([]) })
    .optional(),
})
export type KubernetesSettings = z.infer<typeof kubernetesSettings>
