import { z } from 'zod'

const name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
const labels = z.record(z.string().regex(/^[a-z0-9./-]{1,80}$/), z.string().regex(/^[\w.-]{0,63}$/))
const absolutePath = z.string().regex(/^(?!.*(?:\/\/|\/\.\.?(?:\/|$)))\/[\w./-]{1,200}$/)
const words = z.array(z.string().min(1).max(1000)).min(1).max(64)
const port = z.number().int().min(1).max(65_535)
const quantity = z.string().regex(/^\d[\w.]{0,19}$/)
const id = z.number().int().min(1).max(65_533)

/** Capabilities that a preset may ask for: none of them reaches past its own user namespace. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETUID', 'NET_BIND_SERVICE'] as const

const resources = z.strictObject({
  cpu: quantity.optional(),
  memory: quantity.optional(),
  'ephemeral-storage': quantity.optional(),
  'nvidia.com/gpu': quantity.optional(),
})

const probeTiming = {
  periodSeconds: z.number().int().min(1).max(60).optional(),
  failureThreshold: z.number().int().min(1).max(3600).optional(),
}
const readinessProbe = z.union([
  z.strictObject({ httpGet: z.strictObject({ path: z.string().regex(/^\/[\w./-]{0,200}$/), port }), ...probeTiming }),
  z.strictObject({ tcpSocket: z.strictObject({ port }), ...probeTiming }),
  z.strictObject({ exec: z.strictObject({ command: words }), ...probeTiming }),
])

const container = z.strictObject({
  name,
  image: z.string().regex(/^[a-z0-9][a-z0-9./-]{0,200}(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$/),
  command: words.optional(),
  args: words.optional(),
  workingDir: absolutePath.optional(),
  env: z
    .array(z.strictObject({ name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/), value: z.string().max(4096) }))
    .max(64)
    .optional(),
  ports: z
    .array(z.strictObject({ name, containerPort: port, protocol: z.enum(['TCP', 'UDP']).optional() }))
    .max(16)
    .optional(),
  resources: z.strictObject({ requests: resources.optional(), limits: resources.optional() }).optional(),
  securityContext: z.strictObject({
    runAsUser: id,
    runAsGroup: id,
    runAsNonRoot: z.literal(true),
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({
      drop: z.tuple([z.literal('ALL')]),
      add: z.array(z.enum(CAPABILITIES)).max(CAPABILITIES.length).optional(),
    }),
  }),
  readinessProbe,
  volumeMounts: z
    .array(z.strictObject({ name, mountPath: absolutePath }))
    .max(16)
    .optional(),
})

const volume = z.strictObject({
  name,
  emptyDir: z.strictObject({ medium: z.literal('Memory').optional(), sizeLimit: quantity.optional() }),
})

/** The Deployment format of presets: the supported subset of Kubernetes, and nothing that would be ignored. */
export const deploymentYaml = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: z.strictObject({
    name,
    labels: labels.optional(),
    annotations: z.strictObject({ 'rackfair.io/terminal': z.string().min(1).max(300).optional() }).optional(),
  }),
  spec: z.strictObject({
    replicas: z.literal(1),
    selector: z.strictObject({ matchLabels: labels }),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({ containers: z.tuple([container]), volumes: z.array(volume).max(16).optional() }),
    }),
  }),
})
export type DeploymentYaml = z.infer<typeof deploymentYaml>
