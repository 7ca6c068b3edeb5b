/** True if the platform has no such order, node or provider, which is not a failure. */
export const isNotFound = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'not_found'
