import { createHash } from 'node:crypto'
import { type AppSpec, OWN_APP_NAME } from '@rackfair/app-spec/AppSpec'
import { parseImage } from '@rackfair/app-spec/imageReference'
import type { Probe, RunSpec } from '../runtime/RunSpec.ts'
import type { Application } from './loadCatalog.ts'

/** Generous, because loading a model can take long before the first answer. */
const PROBE_TIMES = { periodSeconds: 1, failures: 3600 }

/**
 * A renter's own application in the form that the agent runs. `values` are the secrets sent with it; the registry password is removed from
 * them and not passed to the application.
 */
export function ownApplication(spec: AppSpec, values: Readonly<Record<string, string>>): Application {
  const web = spec.ports.find(({ protocol }) => protocol === 'http')
  const app: RunSpec = {
    name: OWN_APP_NAME,
    image: spec.image,
    command: spec.command && [...spec.command],
    args: spec.args && [...spec.args],
    env: { ...spec.env },
    workingDir: spec.workdir,
    port: web?.port,
    uid: 0,
    gid: 0,
    addCapabilities: [],
    tmpfs: [],
    volumes: spec.volumes.map((path) => ({ name: volumeName(path), path })),
    requests: { cpu: 0, memoryBytes: 0, diskBytes: 0, gpus: 0 },
    probe: probeOf(spec),
    terminal: undefined,
    own: {
      user: spec.user,
      registry: spec.registry && { username: spec.registry.username, password: values[spec.registry.password] ?? '' },
      ports: spec.ports,
      job: spec.job,
      sandbox: spec.sandbox,
      sharedMemory: spec.sharedMemory,
    },
  }
  const title = parseImage(spec.image)?.repository.split('/').at(-1) ?? OWN_APP_NAME
  return { wire: { name: OWN_APP_NAME, title, access: web?.access ?? 'public' }, app }
}

/** The folder of a volume on the order's disk: a name whatever its path inside is. */
const volumeName = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16)

/** The values that become part of the environment. */
export function ownEnvironment(spec: AppSpec, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(spec.secrets.map((name) => [name, values[name] ?? '']))
}

function probeOf(spec: AppSpec): Probe {
  const web = spec.ports.find(({ protocol }) => protocol === 'http')
  if (web?.ready !== undefined) return { kind: 'http', path: web.ready, port: web.port, ...PROBE_TIMES }
  const listens = web ?? spec.ports.find(({ protocol }) => protocol === 'tcp')
  return listens ? { kind: 'tcp', port: listens.port, ...PROBE_TIMES } : { kind: 'started', ...PROBE_TIMES }
}
