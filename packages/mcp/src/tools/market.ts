import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import type { NodeQuery } from '@rackfair/sdk'
import { z } from 'zod'
import { answer, answerWithData, failure, usd } from '../answers.ts'
import type { Connection } from '../createConnection.ts'

/** What a machine has to be. */
export const machineFields = {
  min_cores: z.number().int().min(1).max(4096).optional(),
  min_memory_gb: z.number().int().min(1).max(65_536).optional(),
  min_disk_gb: z.number().int().min(1).max(1_048_576).optional(),
  min_gpus: z.number().int().min(1).max(64).optional(),
  gpu: z.string().max(100).optional().describe('model of the GPU, such as RTX 4090'),
}

/** The same as a search. */
export function queryOf(fields: { [Name in keyof typeof machineFields]?: z.infer<(typeof machineFields)[Name]> }): NodeQuery {
  return {
    minCores: fields.min_cores,
    minMemory: fields.min_memory_gb,
    minDisk: fields.min_disk_gb,
    minGpus: fields.min_gpus,
    gpu: fields.gpu,
  }
}

const HOUR_SECONDS = 3_600n

export function addMarketTools(server: McpServer, connection: Connection): void {
  server.registerTool(
    'search_machines',
    {
      description: 'Machines that can be rented now, cheapest first, with what an hour costs. Pays nothing.',
      inputSchema: { ...machineFields, limit: z.number().int().min(1).max(50).default(10) },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async ({ limit, ...wanted }, { signal }) => {
      try {
        const { searchIdle } = await connection.sdk()
        const page = await searchIdle(await connection.market(), { ...queryOf(wanted), limit }, { signal })
        const machines = page.nodes.map((node) => ({
          ...{ machine: `${node.provider}/${node.nodeId}`, cores: node.cpu.count * node.cpu.cores, cpu: node.cpu.model },
          ...{ gpus: node.gpu.count, gpu: node.gpu.model, memory_gb: node.memoryGb, disk_gb: node.diskGb },
          usd_per_hour: usd((node.ratePerMonthWei * HOUR_SECONDS) / BigInt(MONTH_SECONDS)),
          can_be_bought: node.blocker === undefined,
        }))
        return answerWithData({ total: page.total }, { machines: JSON.stringify(machines) })
      } catch (error) {
        return failure(error)
      }
    },
  )
  server.registerTool(
    'spent',
    {
      description: 'What the key may still spend, as the contract counts it, and until when. Pays nothing.',
      inputSchema: {},
      annotations: { readOnlyHint: true },
    },
    async () => {
      try {
        const renter = await connection.renter()
        const { readPurse, isAddressEqual } = await connection.sdk()
        const { creditWei, keys } = await readPurse(renter, renter.purse)
        const own = keys.find(({ key, isRevoked }) => !isRevoked && isAddressEqual(key, renter.wallet.account.address))
        return answer({
          may_spend_usd: usd(own?.leftWei ?? 0n),
          of_usd: usd(own?.totalWei ?? 0n),
          more_per_day_usd: usd(own?.refillWei ?? 0n),
          valid_until: own === undefined ? null : new Date(Math.min(own.validUntil, 8_640_000_000_000) * 1000).toISOString(),
          purse_holds_usd: usd(creditWei),
        })
      } catch (error) {
        return failure(error)
      }
    },
  )
}
