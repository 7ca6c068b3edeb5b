import { z } from 'zod'
import { deploymentReport, deploymentRequest } from './deployment.ts'
import { providerTakes } from './node.ts'
import { addressString, count } from './scalars.ts'
import { announcedKeys } from './workspace.ts'

/** What an agent tells of its computer. */
const announcedMachine = z.object({
  ...{ cores: count, memoryGb: count, diskGb: count, gpus: count },
  takes: providerTakes.optional(),
  /** Its hardware is only pretended: orders run on what there really is. Of a local market's providers alone. */
  sample: z.literal(true).optional(),
})
export type AnnouncedMachine = z.infer<typeof announcedMachine>

/** What an agent sends over the WebSocket at `/v1/relay`. Texts that are signed: `agentTexts.ts`. */
export const agentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    chainId: count,
    provider: addressString,
    version: z.string().max(40),
    /** Origin of the platform that the agent is configured for. */
    platform: z.string().max(300),
    /** Random for each process of an agent: tells its next line from that of another agent with the same key. */
    session: z.string().regex(/^[0-9a-f]{32}$/),
    /** What the agent's computer has, so that buyers see when its nodes together offer more, and what it takes. Memory and disk in whole GB. */
    machine: announcedMachine.optional(),
  }),
  z.object({ type: z.literal('prove'), operator: addressString, signature: z.string().max(10_000) }),
  /**
   * Unsigned: it counts for the connection that has proved its key, and for nothing else. `machine` is there when it is not what was said
   * before.
   */
  z.object({ type: z.literal('heartbeat'), machine: announcedMachine.optional() }),
  /** What others seal to this agent with, signed by its operator; the platform only passes it on. */
  announcedKeys.extend({ type: z.literal('keys') }),
  /** The answer to one `deploy`. `status` is the HTTP status: 202 with a deployment, else an agent code. */
  z.object({
    type: z.literal('answer'),
    requestId: z.string().max(64),
    status: count,
    code: z.string().max(40).optional(),
    message: z.string().max(300).optional(),
    deployment: deploymentReport.optional(),
  }),
  /** Sent on every change of a deployment, and for all live ones after `welcome`. */
  z.object({ type: z.literal('status'), deployment: deploymentReport }),
])
export type AgentMessage = z.infer<typeof agentMessage>

/** Code of the refusal of an agent while another one with the same key is connected and answers. */
export const DUPLICATE_AGENT = 'duplicate_agent'

/** What the platform sends to an agent. */
export const platformMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), challenge: z.string() }),
  /** `origins` are where people open the market's page. */
  z.object({ type: z.literal('welcome'), heartbeatSeconds: count, origins: z.array(z.string().max(300)).max(20) }),
  z.object({ type: z.literal('refused'), code: z.string(), message: z.string() }),
  deploymentRequest.extend({ type: z.literal('deploy'), requestId: z.string() }),
])
export type PlatformMessage = z.infer<typeof platformMessage>
