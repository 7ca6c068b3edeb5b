import { z } from 'zod'

/** The body of every response that is not 2xx or 304. `facts` fill the placeholders of a translated sentence. */
export const errorWire = z.object({
  code: z.string(),
  message: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})
export type ErrorWire = z.infer<typeof errorWire>
