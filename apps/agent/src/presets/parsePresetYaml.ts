import type { AppPort } from '@rackfair/app-spec/AppSpec'
import { AppError } from '@rackfair/rules/errors/AppError'
import { parseDocument } from 'yaml'
import type { Probe, RunSpec } from '../runtime/RunSpec.ts'
import { type DeploymentYaml, deploymentYaml } from './deploymentYaml.ts'
import { parseBytes, parseCores } from './parseQuantity.ts'

const MAX_YAML_BYTES = 64 * 1024
const DEFAULT_TMPFS_BYTES = 64 * 2 ** 20

/**
 * Reads a preset's Kubernetes yaml into what the runtime understands. An unknown field, a second document, an alias,
 * a duplicate key, an unmounted volume: all are errors, nothing is silently ignored.
 * @throws AppError `preset_unknown` that names the first thing that is wrong.
 */
export function parsePresetYaml(text: string): RunSpec {
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) throw invalid('the yaml is larger than 64 KiB')
  const document = parseDocument(text, { strict: true, uniqueKeys: true, merge: false, schema: 'core', prettyErrors: false })
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem) throw invalid(problem.message)
  let plain: unknown
  try {
    plain = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
  const parsed = deploymentYaml.safeParse(plain)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw invalid(`${issue?.path.join('.') || 'document'}: ${issue?.message}`)
  }
  return toRunSpec(parsed.data)
}

function toRunSpec(yaml: DeploymentYaml): RunSpec {
  const pod = yaml.spec.template.spec
  const [container] = pod.containers
  const mounts = container.volumeMounts ?? []
  const volumes = pod.volumes ?? []
  const unmounted = volumes.find((volume) => !mounts.some((mount) => mount.name === volume.name))
  if (unmounted) throw invalid(`volume ${unmounted.name} is not mounted`)

  const tmpfs: RunSpec['tmpfs'] = []
  const disks: RunSpec['volumes'] = []
  const paths = new Set<string>()
  for (const mount of mounts) {
    const volume = volumes.find((one) => one.name === mount.name)
    if (!volume) throw invalid(`volumeMount ${mount.name} names no volume`)
    if (paths.has(mount.mountPath)) throw invalid(`two volumes at ${mount.mountPath}`)
    if (RESERVED.some((path) => mount.mountPath === path || mount.mountPath.startsWith(`${path}/`)))
      throw invalid(`nothing may be mounted at ${mount.mountPath}`)
    paths.add(mount.mountPath)
    if (volume.emptyDir.medium === 'Memory') {
      const size = volume.emptyDir.sizeLimit
      tmpfs.push({ path: mount.mountPath, sizeBytes: size ? quantity(size, parseBytes, 'sizeLimit') : DEFAULT_TMPFS_BYTES })
    } else disks.push({ name: volume.name, path: mount.mountPath })
  }

  const requests = { ...container.resources?.limits, ...container.resources?.requests }
  const ports = (container.ports ?? []).map(toPort)
  if (new Set(ports.map(({ protocol, port }) => `${protocol === 'udp'} ${port}`)).size < ports.length)
    throw invalid('a port is given twice')
  if (ports.filter(({ protocol }) => protocol === 'http').length > 1) throw invalid('two ports are called http')
  const terminal = yaml.metadata.annotations?.['rackfair.io/terminal']
  const env: Record<string, string> = {}
  for (const { name, value } of container.env ?? []) {
    if (name in env) throw invalid(`env ${name} is given twice`)
    env[name] = value
  }
  return {
    name: yaml.metadata.name,
    image: container.image,
    command: container.command,
    args: container.args,
    env,
    workingDir: container.workingDir,
    port: ports.find(({ protocol }) => protocol === 'http')?.port,
    ports,
    uid: container.securityContext.runAsUser,
    gid: container.securityContext.runAsGroup,
    addCapabilities: container.securityContext.capabilities.add ?? [],
    tmpfs,
    volumes: disks,
    requests: {
      cpu: requests.cpu ? quantity(requests.cpu, parseCores, 'cpu') : 0,
      memoryBytes: requests.memory ? quantity(requests.memory, parseBytes, 'memory') : 0,
      diskBytes: requests['ephemeral-storage'] ? quantity(requests['ephemeral-storage'], parseBytes, 'ephemeral-storage') : 0,
      gpus: requests['nvidia.com/gpu'] ? quantity(requests['nvidia.com/gpu'], parseCount, 'nvidia.com/gpu') : 0,
    },
    probe: toProbe(container.readinessProbe),
    terminal: terminal?.split(' '),
  }
}

/** The engine's own mounts: mounting over them would remove a container's own masks. */
const RESERVED = ['/proc', '/sys', '/dev', '/etc', '/run']

type YamlPort = NonNullable<DeploymentYaml['spec']['template']['spec']['containers'][0]['ports']>[number]

/** The port called `http` is the application's page. */
const toPort = ({ name, containerPort, protocol }: YamlPort): AppPort => ({
  protocol: protocol === 'UDP' ? 'udp' : name === 'http' ? 'http' : 'tcp',
  port: containerPort,
})

function toProbe(probe: DeploymentYaml['spec']['template']['spec']['containers'][0]['readinessProbe']): Probe {
  const timing = { periodSeconds: probe.periodSeconds ?? 1, failures: probe.failureThreshold ?? 60 }
  if ('httpGet' in probe) return { kind: 'http', ...probe.httpGet, ...timing }
  if ('tcpSocket' in probe) return { kind: 'tcp', ...probe.tcpSocket, ...timing }
  return { kind: 'exec', command: probe.exec.command, ...timing }
}

function parseCount(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined
}

function quantity(text: string, parse: (text: string) => number | undefined, field: string): number {
  const value = parse(text)
  if (value === undefined) throw invalid(`${field}: not a quantity: ${text}`)
  return value
}

function invalid(message: string): AppError {
  return new AppError('preset_unknown', `preset yaml: ${message}`)
}
