import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { MAX_MODEL_BYTES } from '@rackfair/rules/limits'
import { DRIVER_VERSION } from '@rackfair/rules/node/place'
import { z } from 'zod'

const model = z
  .string()
  .min(1)
  .refine((text) => Buffer.byteLength(text) <= MAX_MODEL_BYTES, `a name of at most ${MAX_MODEL_BYTES} bytes`)
const count = (most: number) => z.number().int().min(1).max(most)

/** Simulated hardware of a provider on a local market. Its orders run in real containers, with the resources actually present. */
export const sampleHardware = z.strictObject({
  cpu: z.strictObject({ model, processors: count(16), coresPerProcessor: count(1024) }),
  memoryGb: count(65_536),
  diskGb: count(16_000),
  gpus: z.strictObject({ model, count: count(64) }).optional(),
  /** The version of the NVIDIA driver that goes with them. */
  driver: z.string().regex(DRIVER_VERSION).optional(),
})
export type SampleHardware = z.infer<typeof sampleHardware>

/** The error for a configuration that simulates hardware on any other chain, where people pay for it. */
export const SAMPLE_REFUSED = `is only simulated hardware, which no chain but ${DEVELOPMENT_CHAIN_ID} accepts; nothing was started. Remove it to offer what this machine has`
