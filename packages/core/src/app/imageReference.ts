import { APP_LIMITS } from './AppSpec.ts'

export interface ImageReference {
  /** Host and port, for example `docker.io`. */
  registry: string
  repository: string
  tag?: string
  /** `sha256:` and 64 hex digits. With it the tag is a comment. */
  digest?: string
}

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const SHAPE = new RegExp(
  `^(?:((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\\d{1,5})?|\\[[0-9a-fA-F:]+\\](?::\\d{1,5})?)/)?(${COMPONENT}(?:/${COMPONENT})*)(?::(\\w[\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
)
const DEFAULT_REGISTRY = 'docker.io'

/**
 * Reads the name of an image as Docker does: without a registry it is Docker's, without a tag or a digest it is `latest`.
 *
 * @example parseImage('redis:7') // { registry: 'docker.io', repository: 'library/redis', tag: '7' }
 */
export function parseImage(text: string): ImageReference | undefined {
  if (text.length > APP_LIMITS.imageLength) return undefined
  const match = SHAPE.exec(text)
  if (!match) return undefined
  const [, first, rest = '', tag, digest] = match
  const isHost = first !== undefined && /[.:]|^localhost$/.test(first)
  const registry = isHost ? first.toLowerCase() : DEFAULT_REGISTRY
  // What looked like a host is the first part of the name, where only small letters are allowed.
  const named = isHost || first === undefined ? rest : `${first}/${rest}`
  if (named !== named.toLowerCase() || named.length > 255) return undefined
  const repository = registry === DEFAULT_REGISTRY && !named.includes('/') ? `library/${named}` : named
  if (digest !== undefined) return { registry, repository, ...(tag === undefined ? {} : { tag }), digest }
  return { registry, repository, tag: tag ?? 'latest' }
}

/** The same name written out. */
export function formatImage({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
}
