import { APP_LIMITS, type AppPort } from '../AppSpec.ts'
import { isUnknown } from './unknownValue.ts'

/** Ports at which well-known programs serve a web page. Neither compose nor docker run say which port speaks HTTP. */
const USUAL_HTTP = new Set([
  ...[
    80, 81, 1313, 1337, 1880, 2283, 2342, 2368, 3000, 3001, 3002, 3003, 3010, 3080, 3100, 3210, 3333, 3456, 4000, 4173, 4200,
    4321,
  ],
  ...[
    4533, 5000, 5001, 5006, 5055, 5173, 5230, 5540, 5601, 5678, 5800, 5984, 6006, 6052, 6080, 6333, 6767, 6789, 6875, 6901, 7007,
  ],
  ...[
    7200, 7474, 7575, 7700, 7801, 7860, 7878, 8000, 8001, 8002, 8008, 8010, 8055, 8065, 8069, 8075, 8080, 8081, 8082, 8083, 8084,
  ],
  ...[
    8085, 8086, 8087, 8088, 8089, 8090, 8096, 8100, 8108, 8111, 8112, 8123, 8180, 8181, 8188, 8191, 8200, 8265, 8333, 8384, 8500,
  ],
  ...[
    8501, 8581, 8585, 8686, 8787, 8880, 8888, 8889, 8929, 8989, 8998, 9000, 9001, 9080, 9090, 9091, 9093, 9117, 9120, 9200, 9411,
  ],
  ...[9696, 9880, 9925, 9999, 10_000, 11_434, 13_378, 15_672, 16_686, 18_789, 19_999, 25_600, 32_400],
])

export interface PublishedPort {
  protocol: 'tcp' | 'udp'
  port: number
  /** Whether a certain port outside is asked for, which the provider assigns. */
  outside: boolean
  /** Whether it is meant for the machine itself or its own network only. */
  closed: boolean
}

/**
 * Parses ports as compose and docker run write them: `8000`, `8080:80`, `127.0.0.1:8080:80/tcp`, `8000-8010:8000-8010`. Only the ports
 * inside count; which one is open outside is the provider's to say.
 *
 * @returns `unknown` where the text depends on a value that is not known here, undefined for what is no port
 */
export function readPublished(text: string): PublishedPort[] | 'unknown' | undefined {
  const match = /^(?:(?:(\[[^\]]*\]|[^[\]:]*):)?([^:]*):)?([^:/]+)(?:\/(\w+))?$/.exec(text)
  if (!match) return undefined
  const [, address = '', outer, inner = '', protocol = 'tcp'] = match
  if (isUnknown(inner) || isUnknown(address)) return 'unknown'
  const ports = readRange(inner)
  const isAddress = /^(?:|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[0-9a-fA-F:.]+\])$/.test(address)
  const isPort = outer === undefined || outer === '' || isUnknown(outer) || readRange(outer) !== undefined
  if (!ports || !isAddress || !isPort || !/^(?:tcp|udp)$/i.test(protocol)) return undefined
  const outside = outer !== undefined && outer !== '' && outer !== inner
  const isUdp = protocol.toLowerCase() === 'udp'
  return ports.map((port) => ({ protocol: isUdp ? 'udp' : 'tcp', port, outside, closed: isNotPublic(address) }))
}

/** One port, or a range of them; no more than would be refused as too many. */
export function readRange(text: string): number[] | undefined {
  const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (first === '' || from < 1 || to > 65_535 || to < from) return undefined
  return Array.from({ length: Math.min(to - from, APP_LIMITS.ports) + 1 }, (_, index) => from + index)
}

/** Whether an address to listen at is that of the machine itself, or of a private network: nothing there is for everybody. */
export function isNotPublic(address: string): boolean {
  const plain = address
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '')
  return (
    plain === 'localhost' ||
    /^(?:127|10|0*192\.168|169\.254)\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(plain) ||
    /^(?:0*:)*(?:0*:)?:?0*1$/.test(plain) ||
    /^f[cde]/.test(plain)
  )
}

/** Marks the first common web port as HTTP, unless a port is HTTP already. */
export function withUsualHttp(ports: readonly AppPort[] | undefined): AppPort[] | undefined {
  if (!ports || ports.some(({ protocol }) => protocol === 'http')) return ports && [...ports]
  const page = ports.find(({ protocol, port }) => protocol === 'tcp' && USUAL_HTTP.has(port))
  return ports.map((one) => (one === page ? { ...one, protocol: 'http' as const } : one))
}
