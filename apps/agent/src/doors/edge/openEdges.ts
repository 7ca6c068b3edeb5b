import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { AgentContext } from '../../AgentContext.ts'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Arrival } from '../../foundation/arrival.ts'
import type { Log } from '../../foundation/log.ts'
import { caaOf, checkedBy, createAuthority } from './createAuthority.ts'
import { createCertificates, readCertificates } from './createCertificates.ts'
import { createEdgeClient } from './createEdgeClient.ts'
import { createLocalAuthority } from './createLocalAuthority.ts'
import type { Domains } from './createOwnDomains.ts'
import { createTlsDoor } from './createTlsDoor.ts'
import type { DnsServer } from './dns/changeTxt.ts'
import { challengeName, type DnsServerOf } from './dns/createDnsProof.ts'
import { listenForNames } from './listenForNames.ts'

/**
 * Connects to the configured edges, opens the ports for names at this machine itself, and gives the visitors of both to `receive`, those of
 * names after TLS. `isLive`: whether this
 * agent knows the order.
 */
export async function openEdges({
  config,
  data,
  account,
  log,
  receive,
  isLive,
  domains,
}: Pick<AgentContext, 'config' | 'account' | 'log'> & {
  data: string
  receive: (socket: Socket, arrival: Arrival) => void
  isLive: (orderId: bigint) => boolean
  domains: Pick<Domains, 'orderOf' | 'came' | 'said'>
}) {
  const { chainId, provider, gateway } = config
  /** The name that each edge has given to this agent. */
  const names = new Map<object, string>()
  const servers = createNameServers()
  const { wideOf } = servers
  const isOurs = (name: string): boolean => {
    const own = domains.orderOf(name)
    if (own !== undefined) return isLive(own)
    if (name.startsWith('*.')) return wideOf(name.slice(2)) === name
    const [, order, domain = name] = /^o-(\d{1,20})\.(.+)$/.exec(name) ?? []
    return [...names.values()].includes(domain) && (order === undefined || isLive(BigInt(order)))
  }
  const folder = folderIn(data)
  const authority = authorityOf(gateway, folder, servers.of)
  const named = authority && serveNames({ folder, authority, isOurs, wideOf, receive, log })
  const clients = (gateway.edges ?? []).map((edge) =>
    createEdgeClient({
      ...{ edge, chainId, provider, account, log },
      rawPort: gateway.port,
      // Where the registered address is this machine's own, nobody needs a raw port.
      needsRawPort: gateway.host !== gateway.publicHost,
      onWelcome({ name, dns }, send, host) {
        names.set(edge, name)
        if (!gateway.acme) return
        domains.came(edge, name, send)
        servers.came(edge, name, dns && { ...dns, host })
        if (dns) named?.want(`*.${name}`)
      },
      onDomain: (found) => domains.said(edge, found),
      onVisitor(socket, { kind, from }, { name: domain, rawPort, tlsPort }) {
        const ofEdge = { domain, tlsPort, hasTls: named !== undefined, isPlain: kind === 'plain', proofOf: authority?.proofOf }
        const arrival = { from, port: kind === 'tls' ? tlsPort : rawPort, tls: false, isProxied: false, edge: ofEdge }
        if (kind !== 'tls') receive(socket, arrival)
        else if (named) named.take(socket, arrival)
        else socket.destroy()
      },
    }),
  )
  const own = named && gateway.names && gateway.domain ? { ...gateway.names, domain: gateway.domain.toLowerCase() } : undefined
  const listening =
    own &&
    (await listenForNames(
      { host: gateway.host, ...own },
      {
        onTls: (socket, stands) => named?.take(socket, arrivalAt(own, socket, false), stands),
        onPlain: (socket) => receive(socket, arrivalAt(own, socket, true, authority?.proofOf)),
      },
    ))
  if (own) {
    names.set(own, own.domain)
    // What this agent has found itself needs nobody else's word.
    if (gateway.acme)
      domains.came(own, own.domain, (message) => {
        if (message.type === 'domains') for (const one of message.add) domains.said(own, { ...one, isServed: true })
      })
  }
  return {
    close(): void {
      listening?.close()
      named?.close()
      for (const client of clients) client.close()
    },
  }
}

/** The name servers of edges, which take changes of one name each. */
function createNameServers() {
  const servers = new Map<object, { domain: string; server: DnsServer }>()
  const of: DnsServerOf = (domain) => [...servers.values()].flatMap((one) => (one.domain === domain ? [one.server] : []))
  return {
    of,
    /** The name of the one certificate for all names beside this one; undefined where no edge helps to get it. */
    wideOf(name: string): string | undefined {
      const domain = name.replace(/^o-\d{1,20}\./, '')
      return of(domain).length > 0 ? `*.${domain}` : undefined
    },
    came(edge: object, domain: string, at: { host: string; port: number; secret: string } | undefined): void {
      servers.delete(edge)
      if (!at) return
      const key = { name: challengeName(domain), secret: Buffer.from(at.secret, 'base64') }
      servers.set(edge, { domain, server: { host: at.host, port: at.port, key } })
    },
  }
}

/** A visitor of a name who came to this machine itself. */
const arrivalAt = (
  { domain, tls }: { domain: string; tls: number },
  socket: Socket,
  isPlain: boolean,
  proofOf?: Authority['proofOf'],
): Arrival => ({
  ...{ from: socket.remoteAddress ?? '', port: socket.localPort, tls: false, isProxied: false },
  edge: { domain, tlsPort: tls, hasTls: true, isPlain, proofOf },
})

/** The CAA record that lets nobody but this agent's account issue; null until it has one. */
export const ownCaa = ({ acme }: Pick<AgentConfig['gateway'], 'acme'>, data: string): string | null =>
  acme ? caaOf(accountFileIn(folderIn(data)), acme.directory) : null

/** The certificates that an agent keeps, and by which check it got each. */
export const ownCertificates = (data: string) =>
  readCertificates(folderIn(data)).map(({ pem, ...one }) => ({ ...one, by: checkedBy(pem) }))

const folderIn = (data: string): string => join(data, 'certificates')
const accountFileIn = (folder: string): string => join(folder, 'account.key')

type Authority = Pick<ReturnType<typeof createAuthority>, 'issue' | 'challengeOf' | 'proofOf'>

function authorityOf(
  { acme, localAuthority, edges, names }: AgentConfig['gateway'],
  folder: string,
  serversOf: DnsServerOf,
): Authority | undefined {
  const hearsHttp = edges !== undefined || names?.plain != null
  if (acme) return createAuthority({ directory: acme.directory, accountFile: accountFileIn(folder), hearsHttp, serversOf })
  return localAuthority === undefined ? undefined : createLocalAuthority(localAuthority)
}

/** Ends TLS of names, with certificates of the configured authority. */
function serveNames(options: {
  folder: string
  authority: Authority
  isOurs: (name: string) => boolean
  wideOf: (name: string) => string | undefined
  receive: (socket: Socket, arrival: Arrival) => void
  log: Log
}) {
  const { folder, authority, isOurs, wideOf, receive, log } = options
  const certificates = createCertificates({ folder, issue: authority.issue, isOurs, wideOf, log })
  const { take } = createTlsDoor({ certificateOf: certificates.of, challengeOf: authority.challengeOf, receive })
  return { take, want: certificates.want, close: certificates.close }
}
