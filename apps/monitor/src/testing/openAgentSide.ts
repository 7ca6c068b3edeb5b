import { createServer, type Server } from 'node:http'
import type { MarketAddresses } from '@rackfair/sdk'
import type { Address, LocalAccount, PublicClient } from 'viem'
import { type AttestedNode, createAttestations } from '../../../agent/src/uptime/createAttestations.ts'
import { createKnownMonitors } from '../../../agent/src/uptime/knownMonitors.ts'
import { openEvidence } from '../../../agent/src/uptime/openEvidence.ts'

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
}) {
  const { client, addresses, provider, port, file, now } = options
  let evidence = openEvidence(file)
  let server: Server | undefined
  const open = async () => {
    if (server) return
    const attestations = createAttestations({
      ...{ account: options.signer(), chainId: 2985, provider, evidence, now, node: options.node },
      monitors: createKnownMonitors({ client, addresses }, () => now() * 1000),
      // All monitors send from one address here.
      pace: { burst: 1_000_000, refillMs: 1 },
    })
    server = createServer((request, response) => {
      void attestations[request.url === '/.rackfair/attestation' ? 'attestation' : 'acknowledgement'](request, response)
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
  return {
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
}
