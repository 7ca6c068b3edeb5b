import { AppError } from '@rackfair/rules/errors/AppError'

export function notFound(what: string): never {
  throw new AppError('not_found', `${what} does not exist`, { facts: { status: 404 } })
}
