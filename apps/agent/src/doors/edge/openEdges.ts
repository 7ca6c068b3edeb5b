import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { AgentContext } from '../../AgentContext.ts'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Arrival } from '../../foundation/arrival.ts'
import type { Log } from '../../foundation/log.ts'
import { createAuthority } from './createAuthority.ts'
import { createCertificates } from './createCertificates.ts'
import { createEdgeClient } from './createEdgeClient.ts'
import { createTlsDoor } from './createTlsDoor.ts'

/**
 * Connects to the configured edges, and gives the visitors that they send to `receive`, those of names after TLS. `isLive`: whether this
 * agent knows the order.
 */
export function openEdges({
  config,
  data,
  account,
  log,
  receive,
  isLive,
}: Pick<AgentContext, 'config' | 'account' | 'log'> & {
  data: string
  receive: (socket: Socket, arrival: Arrival) => void
  isLive: (orderId: bigint) => boolean
}) {
  const { chainId, provider, gateway } = config
  /** The name that each edge has given to this agent. */
  const names = new Map<object, string>()
  const isOurs = (name: string): boolean => {
    const [, order, domain = name] = /^o-(\d{1,20})\.(.+)$/.exec(name) ?? []
    return [...names.values()].includes(domain) && (order === undefined || isLive(BigInt(order)))
  }
  const named = gateway.acme && serveNames({ folder: join(data, 'certificates'), acme: gateway.acme, isOurs, receive, log })
  const clients = (gateway.edges ?? []).map((edge) =>
    createEdgeClient({
      ...{ edge, chainId, provider, account, rawPort: gateway.port, log },
      onWelcome: ({ name }) => void names.set(edge, name),
      onVisitor(socket, { kind, from }, { name: domain, rawPort, tlsPort }) {
        const ofEdge = { domain, tlsPort, hasTls: named !== undefined, isPlain: kind === 'plain' }
        const arrival = { from, port: kind === 'tls' ? tlsPort : rawPort, tls: false, isProxied: false, edge: ofEdge }
        if (kind !== 'tls') receive(socket, arrival)
        else if (named) named.take(socket, arrival)
        else socket.destroy()
      },
    }),
  )
  return {
    close(): void {
      named?.close()
      for (const client of clients) client.close()
    },
  }
}

/** Ends TLS of names, with certificates of the configured authority. */
function serveNames(options: {
  folder: string
  acme: NonNullable<AgentConfig['gateway']['acme']>
  isOurs: (name: string) => boolean
  receive: (socket: Socket, arrival: Arrival) => void
  log: Log
}) {
  const { folder, acme, isOurs, receive, log } = options
  const authority = createAuthority({ directory: acme.directory, accountFile: join(folder, 'account.key') })
  const certificates = createCertificates({ folder, issue: authority.issue, isOurs, log })
  const { take } = createTlsDoor({ certificateOf: certificates.of, challengeOf: authority.challengeOf, receive })
  return { take, close: certificates.close }
}
