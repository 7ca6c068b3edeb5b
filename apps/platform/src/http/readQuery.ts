import { z } from '@hono/zod-openapi'

/** The block of one's own transaction: the answer waits up to 5 s until the rows are there. */
export const minBlock = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional()
export const readQuery = z.object({ minBlock })
