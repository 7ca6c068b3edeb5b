import { DRIVER_VERSION, REGION } from '@rackfair/rules/node/place'
import { z } from 'zod'
import { deploymentRequest } from './deploymentRequests.ts'
import { deploymentReport } from './deployments.ts'
import { providerTakes } from './nodes.ts'
import { addressString, count } from './scalars.ts'
import { announcedKeys } from './workspace.ts'
import { zodOf } from './zodOf.ts'

/** What an agent announces about its machine. */
const announcedMachine = z.object({
  ...{ cores: count, memoryGb: count, diskGb: count, gpus: count },
  takes: zodOf(providerTakes).optional(),
  /** The country where its provider says that it stands, by ISO 3166-1. */
  region: z.string().regex(REGION).optional(),
  /** The version of its NVIDIA driver; absent without one. */
  driver: z.string().regex(DRIVER_VERSION).optional(),
  /** Its hardware is simulated: orders run on what is really there. Only for providers of a local market. */
  sample: z.literal(true).optional(),
})
export type AnnouncedMachine = z.infer<typeof announcedMachine>

/** Messages from an agent over the WebSocket at `/v1/relay`. Signed texts: `agentTexts.ts`. */
export const agentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    chainId: count,
    provider: addressString,
    version: z.string().max(40),
    /** Origin of the platform that the agent is configured for. */
    platform: z.string().max(300),
    /** Random per agent process: distinguishes its next connection from that of another agent with the same key. */
    session: z.string().regex(/^[0-9a-f]{32}$/),
    /**
     * The capacity of the agent's machine, so that buyers see when its nodes together offer more, and what it takes. Memory and disk in
     * whole GB.
     */
    machine: announcedMachine.optional(),
  }),
  z.object({ type: z.literal('prove'), operator: addressString, signature: z.string().max(10_000) }),
  /**
   * Unsigned: it counts only for the connection that has proved its key. `machine` is present if it has changed since the last
   * announcement.
   */
  z.object({ type: z.literal('heartbeat'), machine: announcedMachine.optional() }),
  /** The agent's keys for sealing, signed by its operator; the platform only forwards them. */
  announcedKeys.extend({ type: z.literal('keys') }),
  /** The answer to one `deploy`. `status` is the HTTP status: 202 with a deployment, else an agent code. */
  z.object({
    type: z.literal('answer'),
    requestId: z.string().max(64),
    status: count,
    code: z.string().max(40).optional(),
    message: z.string().max(300).optional(),
    deployment: zodOf(deploymentReport).optional(),
  }),
  /** Sent on every change of a deployment, and for all live ones after `welcome`. */
  z.object({ type: z.literal('status'), deployment: zodOf(deploymentReport) }),
])
export type AgentMessage = z.infer<typeof agentMessage>

/** Code with which an agent is refused while another one with the same key is connected and responsive. */
export const DUPLICATE_AGENT = 'duplicate_agent'

/** Messages from the platform to an agent. */
export const platformMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), challenge: z.string() }),
  /** `origins`: where the market's page is served. */
  z.object({ type: z.literal('welcome'), heartbeatSeconds: count, origins: z.array(z.string().max(300)).max(20) }),
  z.object({ type: z.literal('refused'), code: z.string(), message: z.string() }),
  deploymentRequest.extend({ type: z.literal('deploy'), requestId: z.string() }),
])
export type PlatformMessage = z.infer<typeof platformMessage>
