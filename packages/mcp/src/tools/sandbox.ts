import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { parseCredit } from '@rackfair/rules/money'
import { PRESET_NAMES } from '@rackfair/rules/presets'
import { z } from 'zod'
import { answer, answerWithData, failure, usd } from '../answers.ts'
import type { Connection } from '../createConnection.ts'
import { progressOf } from '../progressOf.ts'
import { machineFields, queryOf } from './market.ts'

/** The number of an order, as every tool that uses a sandbox takes it. */
export const sandboxField = z
  .string()
  .regex(/^\d{1,19}$/)
  .describe('the sandbox, as start_sandbox and list_sandboxes name it')

const startFields = {
  max_usd: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,18})?$/)
    .describe('the most that it may cost for all its hours, such as "2" or "0.50"'),
  hours: z.number().int().min(1).max(720).default(1).describe('it ends by itself after so many; what is not used comes back'),
  image: z.string().max(300).optional().describe('with its registry and tag: docker.io/library/python:3.13-slim'),
  preset: z.enum(PRESET_NAMES).optional().describe('an application of the catalogue in place of an image; ubuntu without either'),
  command: z.array(z.string()).max(64).optional().describe('what runs in the image; a waiting shell without it'),
  port: z.number().int().min(1).max(65_535).optional().describe('where the image serves HTTP; the answer then has a url'),
  env: z.record(z.string(), z.string()).optional().describe('seen by the market: no secrets'),
  name: z
    .string()
    .max(200)
    .optional()
    .describe(
      'called again with the same name, the same sandbox comes back and nothing is paid: use one where a call may be repeated',
    ),
  ...machineFields,
}

export function addSandboxTools(server: McpServer, connection: Connection): void {
  server.registerTool(
    'start_sandbox',
    {
      description:
        'Rents the cheapest machine that fits and runs an image on it. Pays at most max_usd, for its hours; end_sandbox returns what was not used, to the second.',
      inputSchema: startFields,
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    async ({ max_usd, hours, image, preset, command, port, env, name, ...machine }, extra) => {
      const progress = progressOf(extra)
      try {
        const renter = await connection.renter()
        const { Sandbox } = await connection.sdk()
        const sandbox = await Sandbox.create(renter, {
          ...{ image, preset, command, port, env, name, machine: queryOf(machine) },
          ...{ term: hours * 3_600, maxPriceWei: parseCredit(max_usd), signal: extra.signal },
          onProgress: ({ phase }) => progress.tell(phase),
        })
        connection.opened(sandbox)
        const { paidWei } = await sandbox.cost()
        const fields = { sandbox: String(sandbox.orderId), paid_usd: usd(paidWei), hours }
        // The machine chose it.
        return sandbox.url === undefined ? answer(fields) : answerWithData(fields, { url: sandbox.url })
      } catch (error) {
        return failure(error)
      } finally {
        progress.end()
      }
    },
  )
  server.registerTool(
    'end_sandbox',
    {
      description:
        'Ends a sandbox with all that is in it, and returns what was not used to the purse. Fetch what is needed first.',
      inputSchema: { sandbox: sandboxField },
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ sandbox: id }) => {
      try {
        const sandbox = await connection.sandbox(BigInt(id))
        const { paidWei } = await sandbox.cost()
        const { refundedWei, block } = await sandbox.kill()
        connection.ended(sandbox.orderId, block)
        return answer({ sandbox: id, cost_usd: usd(paidWei - refundedWei), came_back_usd: usd(refundedWei) })
      } catch (error) {
        return failure(error)
      }
    },
  )
  server.registerTool(
    'list_sandboxes',
    {
      description: 'What runs and is paid, also what an earlier session left running.',
      inputSchema: {},
      annotations: { readOnlyHint: true },
    },
    async () => {
      try {
        const { Sandbox } = await connection.sdk()
        const orders = await Sandbox.list(await connection.renter(), connection.since())
        const rows = orders.map(({ orderId, paidWei, endsAt }) => ({
          ...{ sandbox: String(orderId), paid_usd: usd(paidWei) },
          ends_at: endsAt === undefined ? null : new Date(endsAt * 1000).toISOString(),
        }))
        return answer({ sandboxes: rows })
      } catch (error) {
        return failure(error)
      }
    },
  )
}
