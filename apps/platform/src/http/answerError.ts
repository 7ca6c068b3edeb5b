import { AppError } from '@rackfair/rules/errors/AppError'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { isUnavailable } from '../store/isUnavailable.ts'
import type { Call } from './defineRoute.ts'

type Status = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 429 | 500 | 503

/** The one place where an error becomes a response: code and message, never a stack trace. */
export function answerError(error: unknown, call: Call, log: Logger): Response {
  if (error instanceof AppError) {
    const { status, ...facts } = error.facts
    if (typeof facts.seconds === 'number') call.header('retry-after', String(facts.seconds))
    return call.json(
      { code: error.code, message: error.message, ...(Object.keys(facts).length > 0 ? { facts } : {}) },
      (status ?? 400) as Status,
    )
  }
  if (error instanceof HTTPException) {
    const code = error.status === 413 ? 'payload_too_large' : 'bad_request'
    return call.json({ code, message: error.message || 'the request cannot be read' }, error.status as Status)
  }
  if (error instanceof URIError || error instanceof SyntaxError) {
    return call.json({ code: 'bad_request', message: 'the request cannot be read' }, 400)
  }
  if (isUnavailable(error)) {
    log.warn({ reason: String(error), path: call.req.path }, 'the database is unavailable')
    call.header('retry-after', '1')
    return call.json({ code: 'not_ready', message: 'the database is unavailable for a moment; nothing is lost, try again' }, 503)
  }
  log.error({ err: error, path: call.req.path }, 'a request failed')
  return call.json({ code: 'internal', message: 'something went wrong here; it has been logged' }, 500)
}
