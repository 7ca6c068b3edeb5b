/**
 * What an application may need of a provider beside resources: that it takes renters' images, opens TCP and UDP ports, has an SSH port,
 * protects a page for its owner, and sandboxes an application with a kernel of its own.
 */
export const TAKES = ['own_images', 'ports', 'ssh', 'protected', 'gvisor'] as const
export type Take = (typeof TAKES)[number]

/** OCI runtimes: `runsc` is gVisor. */
export const CONTAINER_RUNTIMES = ['crun', 'runc', 'runsc'] as const

/** What a provider takes, as its agent announced when it connected. */
export interface ProviderTakes {
  /** Null if it takes only applications of the catalogue. */
  ownImages: {
    /** Maximum size of an image in GB, compressed and unpacked. */
    maxGb: number
    /** The only registries that it pulls from; absent if it pulls from any on the internet. */
    registries?: readonly string[] | undefined
  } | null
  /** Whether applications can have TCP and UDP ports. */
  ports: boolean
  /** Whether orders can be reached by SSH at a port; through their workspace they always can. */
  ssh: boolean
  /** Whether an application can be restricted to its order's owner. */
  protected: boolean
  /** Whether an order may have several services; absent if the agent knows of none. */
  services?: boolean | undefined
  /** Whether an application may bring files; absent if the agent knows of none. */
  files?: boolean | undefined
  runtimes: readonly (typeof CONTAINER_RUNTIMES)[number][]
  /** Applications of the catalogue whose image is present, by name; absent if the agent has not said. */
  ready?: readonly string[] | undefined
}

/** Prefix of images that agents build from Debian packages; every other image comes from a registry, when its provider pulls it. */
const BUILT_HERE = 'localhost/rackfair/'

/**
 * What the image of a catalogue application costs its first deploy with a provider: nothing, the minutes that building it takes, or the
 * deploy itself, because only the provider can pull it. Undefined if the provider's agent has not said.
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

/** An image of this size, in megabytes, takes longer than most to build. */
const LARGE_MB = 700

/**
 * Whether the image of a catalogue application takes minutes longer to build than most; not where its size is not known.
 * @example isLargeImage({ imageMb: 1160 }) // true
 */
export function isLargeImage({ imageMb = 0 }: { imageMb?: number | undefined }): boolean {
  return imageMb >= LARGE_MB
}
