import { AppError } from '@rackfair/rules/errors/AppError'
import { diskFull, saysDiskFull } from '../foundation/diskFull.ts'

const ENGINE_FAILED =
  'the engine of this provider could not start it; its own log says why: ask the provider, or deploy elsewhere'
const TOO_LONG = 'the command with its variables is too long for this machine: pass long values as files in a volume'
const NO_PROGRAM = 'the command or entrypoint is not in the image: name a program that it has, by its whole path'
const NOT_RUNNABLE = 'the command or entrypoint is no program that its user may run: name another, or let its file be executable'
const NO_CHARACTER = 'the command or entrypoint holds a character that none can hold'
const OTHER_MACHINE =
  'the command or entrypoint is no program for this machine: see its architecture, or the first line of the script'

/** What engines and their runtimes say of each field that a renter or an image has chosen. The first that fits counts. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [
    /workdir|working dir|\bcwd\b|chdir/i,
    'the working directory is no folder of the image, and none can be made there: name another, by its whole path',
  ],
  [
    /environment variable/i,
    'a variable holds a character that none can hold: see the variables of the deployment and of the image',
  ],
  [
    /no matching entries in (?:passwd|group)|unable to find (?:user|group)|setgroups|\bset[ug]id\b|non-numeric user/i,
    'the image has no such user or group: name one that it has, or a number',
  ],
  [
    /error mounting|to rootfs|mountpoint|are you trying to mount a directory onto a file/i,
    'a volume cannot be put where the image has a file or a link: choose another path for it',
  ],
  [/argument list too long|file name too long|\bE2BIG\b|ENAMETOOLONG/i, TOO_LONG],
  [/exec.*(?:permission denied|is a directory)/i, NOT_RUNNABLE],
  [/exec format error/i, OTHER_MACHINE],
  [/exec.*(?:not found|no such file)|executable file/i, NO_PROGRAM],
  [/exec.*(?:invalid argument|null byte)/i, NO_CHARACTER],
  [/(?:unpack|extract|apply)\w* layer|invalid tar header/i, 'a layer of the image is damaged: build and push the image again'],
]

/**
 * Why an application cannot be started, by what an engine said: the field that is wrong and what to do, and nothing of the provider's
 * machine. The engine's own words are the cause. @throws nothing
 * @example notStarted('crun: executable file `x` not found in $PATH').message // 'the command or entrypoint is not in the image: ...'
 */
export function notStarted(said: string, options: { cause?: unknown; retryable?: boolean } = {}): AppError {
  if (saysDiskFull(said)) return diskFull('the container cannot be made', options.cause ?? said)
  const message = FIELDS.find(([pattern]) => pattern.test(said))?.[1] ?? ENGINE_FAILED
  return new AppError('start_failed', message, { cause: said.slice(0, 1000), ...options })
}

/** The last word of what starts the tenant's program inside a container, in its place. */
const INIT =
  /^(?:exec \/run\/podman-init|ERROR \(catatonit:\d+\): failed to exec pid1|\[FATAL tini \(\d+\)\] exec .* failed): (.*)$/m

/** Why the program of a container never began, by what its first process wrote; undefined if it began. */
export function notBegun(output: string): AppError | undefined {
  const said = INIT.exec(output)?.[1]
  return said === undefined ? undefined : notStarted(`exec: ${said}`, { cause: output, retryable: true })
}
