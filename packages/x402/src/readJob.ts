import { AppError } from '@rackfair/rules/errors/AppError'
import { PRESET_NAMES } from '@rackfair/rules/presets'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'

const shape = z.strictObject({
  payer: z.string().refine((text) => isAddress(text, { strict: false }), 'an address'),
  image: z.string().max(300).optional(),
  preset: z.enum(PRESET_NAMES).optional(),
  command: z.string().min(1).max(32_768),
  env: z.record(z.string().max(256), z.string().max(16_384)).default({}),
  hours: z.number().int().min(1).max(24).default(1),
  timeout_seconds: z.number().int().min(1).max(3_600).default(60),
  min_cores: z.number().int().min(1).max(1_024).optional(),
  min_memory_gib: z.number().int().min(1).max(65_536).optional(),
  min_gpus: z.number().int().min(1).max(64).optional(),
})

/** What to run, for whom. */
export interface Job {
  /** The owner of the purse that pays, and who pays into it. */
  payer: Address
  image: string | undefined
  preset: z.infer<typeof shape>['preset']
  command: string
  env: Record<string, string>
  termSeconds: number
  timeoutMs: number
  machine: { minCores?: number; minMemory?: number; minGpus?: number }
}

/**
 * A job out of the body of a request, which is a stranger's.
 * @throws AppError `bad_request` that names the first field that is wrong
 * @example readJob({ payer: '0x…', preset: 'ubuntu', command: 'nproc' })
 */
export function readJob(body: unknown): Job {
  const { data, error } = shape.safeParse(body)
  const [issue] = error?.issues ?? []
  if (data === undefined) throw new AppError('bad_request', `${issue?.path.join('.') || 'the body'}: ${issue?.message}`)
  if (data.image !== undefined && data.preset !== undefined) throw new AppError('bad_request', 'image or preset, not both')
  const { payer, image, preset, command, env, hours, timeout_seconds, min_cores, min_memory_gib, min_gpus } = data
  return {
    ...{ payer: getAddress(payer), image, preset, command, env },
    ...{ termSeconds: hours * 3_600, timeoutMs: timeout_seconds * 1_000 },
    machine: {
      ...(min_cores === undefined ? {} : { minCores: min_cores }),
      ...(min_memory_gib === undefined ? {} : { minMemory: min_memory_gib }),
      ...(min_gpus === undefined ? {} : { minGpus: min_gpus }),
    },
  }
}
