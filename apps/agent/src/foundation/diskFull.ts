import { AppError, type ErrorFacts } from '@rackfair/rules/errors/AppError'

/** The disk of the agent's state, images and containers has no room; that of an order is its own, and full for its tenant alone. */
export const diskFull = (what: string, cause?: unknown, facts?: ErrorFacts): AppError =>
  new AppError(
    'disk_full',
    `the disk of this machine is full, so ${what}; what runs is not touched, and it is tried again: the provider must make room`,
    { cause, retryable: true, ...(facts ? { facts } : {}) },
  )

export const saysDiskFull = (message: string): boolean => /no space left on device|ENOSPC|disk is full/i.test(message)
