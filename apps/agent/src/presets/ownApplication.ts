import { createHash } from 'node:crypto'
import { type AppPort, OWN_APP_NAME } from '@rackfair/app-spec/AppSpec'
import { parseImage } from '@rackfair/app-spec/imageReference'
import { type AppService, mainService, type Application as OwnSpec, startOrder } from '@rackfair/app-spec/services/Application'
import { asSpec } from '@rackfair/app-spec/services/applicationText'
import type { Probe, RunSpec, ServiceRun } from '../runtime/RunSpec.ts'
import type { Application } from './loadCatalog.ts'

/** Generous, because loading a model can take long before the first answer. */
const PROBE_TIMES = { periodSeconds: 1, failures: 3600 }

/**
 * A renter's own application in the form that the agent runs. `values` are the secrets sent with it; the passwords of registries are
 * removed from them and not passed to the application.
 */
export function ownApplication(spec: OwnSpec, values: Readonly<Record<string, string>>): Application {
  const main = mainService(spec)
  const places = [main, ...spec.services.filter((one) => one !== main)]
  const names = places.map(({ name, aliases }) => [name, ...aliases])
  const runOf = (service: AppService): RunSpec => {
    const place = places.indexOf(service)
    const key = service === main ? undefined : service.name
    return runSpec(spec, service, values, { key, place, names, memory: places.map(({ memory }) => memory) })
  }
  const isSeveral = asSpec(spec) === undefined
  const services = (startOrder(spec.services) ?? []).map((service) => ({
    ...{ name: service.name, app: runOf(service), env: ownEnvironment(service, values) },
    ...{ after: service.after, once: service.once === true },
  }))
  const app = services.find(({ name }) => name === main.name)?.app ?? runOf(main)
  const title = parseImage(main.image)?.repository.split('/').at(-1) ?? OWN_APP_NAME
  return {
    wire: { name: OWN_APP_NAME, title, access: webOf(main.ports)?.access ?? 'public' },
    ...(isSeveral ? { app, services } : { app: { ...app, service: undefined } }),
  }
}

function runSpec(
  { job, sandbox }: OwnSpec,
  service: AppService,
  values: Readonly<Record<string, string>>,
  run: ServiceRun,
): RunSpec {
  const { registry } = service
  return {
    name: OWN_APP_NAME,
    image: service.image,
    command: service.command && [...service.command],
    args: service.args && [...service.args],
    env: { ...service.env },
    workingDir: service.workdir,
    port: webOf(service.ports)?.port,
    ports: service.ports,
    uid: 0,
    gid: 0,
    addCapabilities: [],
    tmpfs: [],
    volumes: Object.entries(service.volumes).map(([path, name]) => ({ name: folderName(name), path })),
    requests: { cpu: 0, memoryBytes: 0, diskBytes: 0, gpus: 0 },
    probe: probeOf(service),
    terminal: undefined,
    own: {
      user: service.user,
      registry: registry && { username: registry.username, password: values[registry.password] ?? '' },
      job,
      sandbox,
      files: Object.entries(service.files ?? {}).map(([path, file]) => ({
        path,
        text: typeof file === 'string' ? file : (values[file.secret] ?? ''),
      })),
      sharedMemory: service.sharedMemory,
    },
    service: run,
  }
}

/** The folder of a volume on the order's disk: a name whatever it is called. */
const folderName = (volume: string): string => createHash('sha256').update(volume).digest('hex').slice(0, 16)

/** The values that become part of the environment of a service. */
export const ownEnvironment = (
  { secrets }: Pick<AppService, 'secrets'>,
  values: Readonly<Record<string, string>>,
): Record<string, string> => Object.fromEntries(Object.entries(secrets).map(([variable, name]) => [variable, values[name] ?? '']))

const webOf = (ports: readonly AppPort[]): AppPort | undefined => ports.find(({ protocol }) => protocol === 'http')

function probeOf({ ports, check }: AppService): Probe {
  const web = webOf(ports)
  if (web?.ready !== undefined) return { kind: 'http', path: web.ready, port: web.port, ...PROBE_TIMES }
  if (check) return { kind: 'exec', command: [...check.command], ...PROBE_TIMES }
  const listens = web ?? ports.find(({ protocol }) => protocol === 'tcp')
  return listens ? { kind: 'tcp', port: listens.port, ...PROBE_TIMES } : { kind: 'started', ...PROBE_TIMES }
}
