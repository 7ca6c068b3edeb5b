import { isOrderSeconds, readDuration } from '@rackfair/rules/duration'
import { DRIVER_VERSION } from '@rackfair/rules/node/place'
import { NODE_SORTS } from '@rackfair/rules/node/sort'
import { PRESET_NAMES } from '@rackfair/rules/presets'
import { z } from 'zod'
import { addressString } from './scalars.ts'

/**
 * Query of `GET /v1/nodes`. `text` is a sentence as people type it, which `readWish` takes apart; every other word that any node has must
 * occur in the name, the GPU or the CPU. Models may be spelled as drivers, schedulers and other markets do. Lists are as `encodeList` writes
 * them. Prices are whole or decimal USD per month.
 */
export const nodeSearchQuery = z.object({
  text: z.string().max(200).optional(),
  gpu: z.string().max(1000).optional(),
  cpu: z.string().max(1000).optional(),
  provider: addressString.optional(),
  minMemory: z.coerce.number().int().min(0).max(1_048_576).optional(),
  minDisk: z.coerce.number().int().min(0).max(1_048_576).optional(),
  minGpus: z.coerce.number().int().min(0).max(4096).optional(),
  /** Memory of one GPU in GB; a model of unknown memory does not match. */
  minVram: z.coerce.number().int().min(0).max(4096).optional(),
  /** Cores of all processors together. */
  minCores: z.coerce.number().int().min(0).max(1_048_576).optional(),
  /** Countries by ISO 3166-1 and `AREAS`, as `encodeList` writes a list: machines that their providers say stand in one of them. */
  region: z.string().max(1000).optional(),
  /** The least version of the NVIDIA driver; a machine without one does not match. */
  minDriver: z.string().regex(DRIVER_VERSION).optional(),
  minPledge: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .optional(),
  minPrice: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .optional(),
  maxPrice: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .optional(),
  /** Values of `TAKES`, as `encodeList` writes a list: nodes that have all of them. */
  takes: z.string().max(100).optional(),
  /** An application of the catalogue: machines that meet its requirements, of providers that take it or have not said. */
  runs: z.enum(PRESET_NAMES).optional(),
  /** How long it is wanted, as `readDuration` reads it: machines that are sold for as little. */
  for: z
    .string()
    .max(64)
    .refine((written) => isOrderSeconds(readDuration(written) ?? 0))
    .optional(),
  /** Percent: the probability of 30 days without an outage; a node without evidence has 25. */
  minReliability: z.coerce.number().min(0).max(100).optional(),
  /** Whether monitors verified its hardware in the last eight days. */
  verified: z.enum(['true']).optional(),
  idle: z.enum(['true', 'false']).optional(),
  online: z.enum(['true', 'false']).optional(),
  sort: z.enum(NODE_SORTS).optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
export type NodeSearchQuery = z.infer<typeof nodeSearchQuery>
