import { countTo, fieldsOf } from '@rackfair/protocol/shape'

/** Of a process: the program that ran the command exits with the same. */
const MAX_EXIT_CODE = 255

/**
 * The exit code in a `json` frame of a command; undefined for any other frame.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readExitCode(json: unknown): number | undefined {
  const of = fieldsOf(json, 'exec')
  return Object.hasOwn(json as object, 'exitCode') ? of('exitCode', countTo(MAX_EXIT_CODE)) : undefined
}
