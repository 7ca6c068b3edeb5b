import { APP_LIMITS } from './AppSpec.ts'

export interface ImageReference {
  /** Host and port, for example `docker.io`. */
  registry: string
  repository: string
  tag?: string
  /** `sha256:` and 64 hex digits. If present, the tag is informational. */
  digest?: string
}

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const SHAPE = new RegExp(
  `^(?:((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\\d{1,5})?|\\[[0-9a-fA-F:]+\\](?::\\d{1,5})?)/)?(${COMPONENT}(?:/${COMPONENT})*)(?::(\\w[\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
)
const DEFAULT_REGISTRY = 'docker.io'
/** The names under which Docker's registry is known besides. */
const ALIASES = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']

/**
 * Parses the name of an image as Docker does: the registry defaults to Docker's, the tag to `latest`.
 *
 * @example parseImage('redis:7') // { registry: 'docker.io', repository: 'library/redis', tag: '7' }
 */
export function parseImage(text: string): ImageReference | undefined {
  if (text.length > APP_LIMITS.imageLength) return undefined
  const match = SHAPE.exec(text)
  if (!match) return undefined
  const [, first, rest = '', tag, digest] = match
  const isHost = first !== undefined && /[.:]|^localhost$/.test(first)
  const registry = isHost ? registryName(first) : DEFAULT_REGISTRY
  // What looked like a host is the first part of the name, which allows only lower-case letters.
  const named = isHost || first === undefined ? rest : `${first}/${rest}`
  if (named !== named.toLowerCase() || named.length > 255) return undefined
  const repository = registry === DEFAULT_REGISTRY && !named.includes('/') ? `library/${named}` : named
  if (digest !== undefined) return { registry, repository, ...(tag === undefined ? {} : { tag }), digest }
  return { registry, repository, tag: tag ?? 'latest' }
}

/**
 * The one name of a registry that has several.
 *
 * @example registryName('index.docker.io') // 'docker.io'
 */
export function registryName(host: string): string {
  const name = host.toLowerCase()
  return ALIASES.includes(name) ? DEFAULT_REGISTRY : name
}

/** The same name in full. */
export function formatImage({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
}
