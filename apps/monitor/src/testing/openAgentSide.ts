import { createServer, type Server } from 'node:http'
import type { MarketAddresses } from '@rackfair/sdk'
import type { Address, LocalAccount, PublicClient } from 'viem'
import { type AttestedNode, createAttestations } from '../../../agent/src/uptime/createAttestations.ts'
import { createKnownMonitors } from '../../../agent/src/uptime/knownMonitors.ts'
import { openEvidence } from '../../../agent/src/uptime/openEvidence.ts'

type Instead = 'cut' | 429 | 503 | undefined

export type AgentSide = ReturnType<typeof openAgentSide>

/** The monitors' view of an agent: its answers behind a real port, and its evidence in a file. */
export function openAgentSide(options: {
  client: PublicClient
  addresses: MarketAddresses
  provider: Address
  port: number
  file: string
  /** The signing key; the operator's if the agent is honest. */
  signer: () => LocalAccount
  node: (nodeId: bigint) => AttestedNode | undefined
  now: () => number
  /** It listens behind a TLS proxy. */
  tls?: boolean | undefined
}) {
  const { client, addresses, provider, port, file, now } = options
  let evidence = openEvidence(file)
  let server: Server | undefined
  const open = async () => {
    if (server) return
    const attestations = createAttestations({
      ...{ account: options.signer(), chainId: 2985, provider, evidence, now, node: options.node, tls: options.tls === true },
      monitors: createKnownMonitors({ client, addresses }, () => now() * 1000),
    })
    server = createServer(async (request, response) => {
      const instead = await side.insteadOfAnswer?.(request.url ?? '')
      if (instead === 'cut') request.socket.destroy()
      else if (instead !== undefined) response.writeHead(instead).end()
      else if (request.url === '/.rackfair/attestation') await attestations.attestation(request, response)
      else await attestations.acknowledgement(request, response)
    })
    await new Promise<void>((resolve, reject) => server?.once('error', reject).listen(port, '127.0.0.1', resolve))
  }
  const close = async () => {
    const ending = server
    server = undefined
    if (!ending) return
    ending.closeAllConnections()
    await new Promise((resolve) => ending.close(resolve))
  }
  const side = {
    /** Called with the path of each request: cuts the connection, or answers with a status, instead of the agent. */
    insteadOfAnswer: undefined as ((path: string) => Instead | Promise<Instead>) | undefined,
    open,
    close,
    get evidence() {
      return evidence
    },
    /** Simulates kill -9 of the machine: what is not in the file is lost. */
    forget() {
      const before = evidence
      evidence = openEvidence(file)
      before.close()
    },
    async stop() {
      await close()
      evidence.close()
    },
  }
  return side
}
