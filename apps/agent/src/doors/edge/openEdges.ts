import type { Socket } from 'node:net'
import type { AgentContext } from '../../AgentContext.ts'
import type { Arrival } from '../../foundation/arrival.ts'
import { createEdgeClient } from './createEdgeClient.ts'

/** Connects to the configured edges, and gives the visitors that they send to `receive`. */
export function openEdges({
  config,
  account,
  log,
  receive,
}: Pick<AgentContext, 'config' | 'account' | 'log'> & { receive: (socket: Socket, arrival: Arrival) => void }) {
  const { chainId, provider, gateway } = config
  const clients = (gateway.edges ?? []).map((edge) =>
    createEdgeClient({
      ...{ edge, chainId, provider, account, rawPort: gateway.port, log },
      onVisitor(socket, { kind, from }, { name: domain, rawPort, tlsPort }) {
        // Nothing here can answer to a name over TLS.
        if (kind === 'tls') return void socket.destroy()
        const edge = { domain, tlsPort, isPlain: kind === 'plain' }
        receive(socket, { from, port: rawPort, tls: false, isProxied: false, edge })
      },
    }),
  )
  return {
    close(): void {
      for (const client of clients) client.close()
    },
  }
}
