import { AppError } from '@rackfair/rules/errors/AppError'
import { expect, test } from 'vitest'
import { reasonOf } from '../foundation/reasonOf.ts'
import { engineError } from './engine/engineError.ts'
import { unpackError } from './layers/startUnpacking.ts'
import { notBegun } from './notStarted.ts'

const RUNC =
  '(HTTP code 500) unexpected - /tmp/agent/engine/bin/runc: runc create failed: unable to start container process: error during container init: '
const DOCKER =
  '(HTTP code 400) unexpected - failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: '

/** What podman 4.3 with runc, and Docker with containerd, were heard to say. */
const SAID: readonly (readonly [string, RegExp])[] = [
  [
    '(HTTP code 500) unexpected - workdir "/etc/x" exists on container 3a928ba3, but is not a directory ',
    /^the working directory/,
  ],
  [
    '(HTTP code 500) unexpected - detecting workdir "/etc/x/y" on container 0a37: stat /run/rackfair-c4-roots/5/etc/x/y: not a directory ',
    /^the working directory/,
  ],
  ['(HTTP code 500) unexpected - workdir "srv" does not exist on container 50b3 ', /^the working directory/],
  [`${DOCKER}mkdir /etc/x: not a directory: chdir to cwd ("/etc/x") set in config.json failed`, /^the working directory/],
  [`${RUNC}environment variable value can't contain null(\\x00): "A=b\\x00c": OCI runtime error `, /^a variable/],
  [
    `${RUNC}error mounting "/tmp/agent/volumes/17/mnt/.own/volumes/4074" to rootfs at "/etc/x": mount /proc/self/fd/11:/etc/x (via /proc/self/fd/21), flags: 0x5006: not a directory`,
    /^a volume/,
  ],
  ['(HTTP code 500) unexpected - unable to find user bob: no matching entries in passwd file', /^the image has no such user/],
  [`${DOCKER}exec: "/bin/none": stat /bin/none: no such file or directory: unknown`, /^the command or entrypoint is not in/],
  [`${DOCKER}exec: "none": executable file not found in $PATH: unknown`, /^the command or entrypoint is not in/],
  [`${DOCKER}exec: "/etc": permission denied: unknown`, /^the command or entrypoint is no program/],
  [`${RUNC}exec /run/podman-init: argument list too long`, /^the command with its variables is too long/],
  ["ENAMETOOLONG: name too long, lstat '/run/rackfair-c4-roots/1/aaaa'", /too long/],
  ["EACCES: permission denied, open '/srv/agent/data/volumes/1/ready'", /^the engine of this provider/],
  ['netavark: IO error: failed to find free IP in range /etc/containers/networks', /^the engine of this provider/],
]

test.each(SAID)('what an engine says is not shown, but what is wrong: %s', (said, shown) => {
  const error = engineError(new Error(said))
  expect(error).toMatchObject({ code: 'start_failed', retryable: false })
  expect(error.message).toMatch(shown)
  expect(error.message).not.toMatch(/\/(?:tmp|run|srv|proc|etc)\b|runc|podman|netavark|lstat|HTTP code|[0-9a-f]{8}/)
  expect(reasonOf(error), 'its provider reads all of it').toContain(said.trim())
})

test.each([
  ['exec /run/podman-init: invalid argument', /holds a character/],
  ['exec /run/podman-init: argument list too long', /too long/],
  ['ERROR (catatonit:5): failed to exec pid1: File name too long', /too long/],
  ['ERROR (catatonit:6): failed to exec pid1: No such file or directory', /is not in the image/],
  ['ERROR (catatonit:6): failed to exec pid1: Permission denied', /is no program that its user may run/],
  ['ERROR (catatonit:6): failed to exec pid1: Exec format error', /no program for this machine/],
  ['[FATAL tini (7)] exec /bin/none failed: No such file or directory', /is not in the image/],
])('a program that never began is named so: %s', (output, shown) => {
  const error = notBegun(`${output}\n`)
  expect(error).toMatchObject({ code: 'start_failed', retryable: true })
  expect(error?.message).toMatch(shown)
  expect(error?.message).not.toMatch(/podman|catatonit|tini/)
})

test('what the application itself wrote stays as it is', () => {
  expect(notBegun('bash: exec: none: not found\n')).toBeUndefined()
})

test('an engine that is away, a full disk and an image that cannot be imported say nothing of the machine either', () => {
  const away = Object.assign(new Error('connect ENOENT /run/rackfair-c4/podman.sock'), { code: 'ENOENT' })
  expect(engineError(away)).toMatchObject({ code: 'engine_unavailable', retryable: true })
  const full = engineError(new Error('write /var/lib/agent/x: no space left on device'))
  expect(full.code).toBe('disk_full')
  const damaged = unpackError({ problem: 'archive', reason: 'open /var/lib/agent/images/x: it is no archive' }, 'a.example')
  for (const error of [engineError(away), full, damaged]) {
    expect(error).toBeInstanceOf(AppError)
    expect(error.message).not.toMatch(/\/(?:run|var)\/|sha256|podman/)
    expect(reasonOf(error).length).toBeGreaterThan(error.message.length + 15)
  }
})
