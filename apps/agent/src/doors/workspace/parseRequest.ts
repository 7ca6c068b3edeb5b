import type { z } from 'zod'
import { WorkspaceError } from './WorkspaceChannel.ts'

/** A stranger's request in the form that its kind asks for. Throws WorkspaceError `bad_request` with the field that is wrong. */
export function parseRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new WorkspaceError('bad_request', `${issue?.path.join('.') || 'request'}: ${issue?.message}`.slice(0, 300))
}
