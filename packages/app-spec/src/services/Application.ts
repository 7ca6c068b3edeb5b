import type { AppSpec, JobEnd, Sandbox } from '../AppSpec.ts'

/** An application of several containers that share what an order bought, find each other by name, and start in order. */
export interface Application {
  /** Sorted by name. */
  services: readonly AppService[]
  /** What happens to the order once the only service has ended. */
  job?: JobEnd
  /** A kernel of its own for the only service. */
  sandbox?: Sandbox
}

/** One container of an application. */
export interface AppService
  extends Pick<
    AppSpec,
    'image' | 'command' | 'args' | 'env' | 'ports' | 'files' | 'user' | 'workdir' | 'registry' | 'sharedMemory'
  > {
  /** Also its host name, by which the other services find it. */
  name: string
  /** Of variables whose values travel beside the specification: the name of the value, which several services may receive. */
  secrets: Readonly<Record<string, string>>
  /** Of paths inside: the name of the folder on the order's disk. Services that name the same one share it. */
  volumes: Readonly<Record<string, string>>
  /** What must be so of other services before this one starts. */
  after: Readonly<Record<string, Condition>>
  /** It ends when it is done, and is started again only by a deployment. */
  once?: true
  /** Whether it is healthy; without one, an answer at its first port counts, or else that it runs. */
  check?: Check
  /** Bytes that it may use of the order's memory. */
  memory?: number
  /** Further names by which the other services find it. */
  aliases: readonly string[]
}

export const CONDITIONS = ['done', 'healthy', 'started'] as const
export type Condition = (typeof CONDITIONS)[number]

export interface Check {
  /** Healthy if it exits with 0. */
  command: readonly string[]
  /** Seconds between two checks. */
  every: number
  /** Consecutive failures after which the service is unhealthy. */
  failures: number
}

export const SERVICE_LIMITS = {
  services: 10,
  /** Of all services together. */
  ports: 16,
  volumes: 16,
  aliases: 8,
  checkSeconds: { least: 1, most: 3600, usual: 10 },
  checkFailures: { least: 1, most: 1000, usual: 3 },
  memory: { least: 16 * 2 ** 20, most: 2 ** 46 },
} as const

/** The name of the only service of a specification without services. */
export const ONLY_SERVICE = 'app'

/**
 * The service that Visit, terminals and logs mean where none is named: the one with the page, else the first that can be called, else the
 * first that keeps running.
 */
export function mainService({ services }: Application): AppService {
  const main =
    services.find(({ ports }) => ports.some(({ protocol }) => protocol === 'http')) ??
    services.find(({ ports }) => ports.length > 0) ??
    services.find(({ once }) => !once) ??
    services[0]
  if (!main) throw new Error('an application without services')
  return main
}

/** An application of one container in the form that all have. */
export function asApplication({ secrets, volumes, job, sandbox, ...service }: AppSpec): Application {
  return {
    services: [
      {
        ...service,
        name: ONLY_SERVICE,
        secrets: Object.fromEntries(secrets.map((name) => [name, name])),
        volumes: Object.fromEntries(volumes.map((path) => [path, path])),
        after: {},
        aliases: [],
      },
    ],
    ...(job ? { job } : {}),
    ...(sandbox ? { sandbox } : {}),
  }
}

/**
 * Services in an order in which each comes after those that it waits for. Undefined where they wait for each other.
 *
 * @example startOrder([{ name: 'web', after: { db: 'healthy' } }, { name: 'db', after: {} }]) // [db, web]
 */
export function startOrder<One extends Pick<AppService, 'name' | 'after'>>(services: readonly One[]): One[] | undefined {
  const ordered: One[] = []
  let left = [...services]
  while (left.length > 0) {
    const ready = left.filter(({ after }) => !left.some(({ name }) => Object.hasOwn(after, name)))
    if (ready.length === 0) return undefined
    ordered.push(...ready)
    left = left.filter((one) => !ready.includes(one))
  }
  return ordered
}

/**
 * What the image of an application is on the chain: of one service its digest as it is, of several the hash of this text.
 *
 * @example keccak256(toBytes(imageList([{ service: 'db', digest: 'sha256:…' }])))
 */
export const imageList = (images: readonly { service: string; digest: string }[]): string =>
  [...images]
    .sort((a, b) => (a.service < b.service ? -1 : 1))
    .map(({ service, digest }) => `${service} ${digest}\n`)
    .join('')
