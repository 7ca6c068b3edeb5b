/** The platform has no such order, node or provider; which is no failure. */
export const isNotFound = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'not_found'
