/**
 * What an application may need of a provider beside resources: that it takes images of renters, opens TCP and UDP ports, has a port for
 * SSH, keeps a page for its owner, and puts an application behind a kernel of its own.
 */
export const TAKES = ['own_images', 'ports', 'ssh', 'protected', 'gvisor'] as const
export type Take = (typeof TAKES)[number]

/** Of images that agents build from Debian packages; every other one comes from a registry, when its provider gets it. */
const BUILT_HERE = 'localhost/rackfair/'

/**
 * What the image of an application of the catalogue costs its first deploy with a provider: nothing, the minutes that building it takes,
 * or the deploy itself, because only the provider may get it. Undefined where the provider's agent has not said.
 * @example imageState({ name: 'nginx', image: 'localhost/rackfair/nginx' }, { ready: [] }) // 'built_first'
 */
export function imageState(
  { name, image }: { name: string; image: string },
  takes: { ready?: readonly string[] | undefined } | undefined,
): 'ready' | 'built_first' | 'missing' | undefined {
  if (!takes?.ready) return undefined
  if (takes.ready.includes(name)) return 'ready'
  return image.startsWith(BUILT_HERE) ? 'built_first' : 'missing'
}
