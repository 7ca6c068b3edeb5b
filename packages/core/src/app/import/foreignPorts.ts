import type { AppPort } from '../AppSpec.ts'

/** Common ports of web pages. Neither compose nor docker run say which port speaks HTTP. */
const USUAL_HTTP = [80, 3000, 4000, 5000, 5173, 7860, 8000, 8008, 8080, 8081, 8088, 8188, 8265, 8501, 8787, 8888, 9000, 11_434]

/**
 * Parses a port as compose and docker run write it: `8000`, `8080:80`, `127.0.0.1:8080:80/tcp`. The provider assigns the outside port, so
 * only the one inside counts.
 */
export function readPublished(text: string): { protocol: 'tcp' | 'udp'; port: number; outside: boolean } | undefined {
  const match = /^(?:(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]):)?(\d{1,5})?:)?(\d{1,5})(?:\/(tcp|udp))?$/.exec(text)
  if (!match) return undefined
  const port = Number(match[2])
  if (port < 1 || port > 65_535) return undefined
  return { protocol: match[3] === 'udp' ? 'udp' : 'tcp', port, outside: match[1] !== undefined && match[1] !== match[2] }
}

/** Marks the first common web port as HTTP, unless a port is HTTP already. */
export function withUsualHttp(ports: readonly AppPort[] | undefined): AppPort[] | undefined {
  if (!ports || ports.some(({ protocol }) => protocol === 'http')) return ports && [...ports]
  const page = ports.find(({ protocol, port }) => protocol === 'tcp' && USUAL_HTTP.includes(port))
  return ports.map((one) => (one === page ? { ...one, protocol: 'http' as const } : one))
}
