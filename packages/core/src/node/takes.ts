/**
 * What an application may need of a provider beside resources: that it takes images of renters, opens TCP and UDP ports, has a port for
 * SSH, keeps a page for its owner, and puts an application behind a kernel of its own.
 */
export const TAKES = ['own_images', 'ports', 'ssh', 'protected', 'gvisor'] as const
export type Take = (typeof TAKES)[number]

/** What runs containers: `runsc` is gVisor. */
export const CONTAINER_RUNTIMES = ['crun', 'runc', 'runsc'] as const

/** What a provider takes, as its agent said when it connected. */
export interface ProviderTakes {
  /** Null where it takes applications of the catalogue only. */
  ownImages: {
    /** The largest image, in GB as it travels and unpacked. */
    maxGb: number
    /** The only registries that it asks; absent where every one on the internet is. */
    registries?: readonly string[] | undefined
  } | null
  /** Whether applications can have TCP and UDP ports. */
  ports: boolean
  /** Whether orders are reached by SSH at a port; through their workspace they are everywhere. */
  ssh: boolean
  /** Whether an application can be kept for its order's owner. */
  protected: boolean
  runtimes: readonly (typeof CONTAINER_RUNTIMES)[number][]
  /** Applications of the catalogue whose image is there, by name; absent where the agent has not said. */
  ready?: readonly string[] | undefined
}

/** Of images that agents build from Debian packages; every other one comes from a registry, when its provider gets it. */
const BUILT_HERE = 'localhost/rackfair/'

/**
 * What the image of an application of the catalogue costs its first deploy with a provider: nothing, the minutes that building it takes,
 * or the deploy itself, because only the provider may get it. Undefined where the provider's agent has not said.
 * @example imageState({ name: 'nginx', image: 'localhost/rackfair/nginx' }, { ready: [] }) // 'built_first'
 */
export function imageState(
  { name, image }: { name: string; image: string },
  takes: Pick<ProviderTakes, 'ready'> | undefined,
): 'ready' | 'built_first' | 'missing' | undefined {
  if (!takes?.ready) return undefined
  if (takes.ready.includes(name)) return 'ready'
  return image.startsWith(BUILT_HERE) ? 'built_first' : 'missing'
}
