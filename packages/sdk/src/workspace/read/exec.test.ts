import type { ExecEnded } from '@rackfair/protocol/workspaceRequests'
import { expect, test } from 'vitest'
import { readExitCode } from './exec.ts'

test('accepts the exit codes of a process', () => {
  expect(readExitCode({ exitCode: 0 } satisfies ExecEnded)).toBe(0)
  expect(readExitCode({ exitCode: 255 } satisfies ExecEnded)).toBe(255)
  expect(readExitCode({ later: 1 })).toBeUndefined()
})

test.each([1.5, -1, 256, 1e308, '0', null])('refuses the exit code %j, which no process can have', (exitCode) =>
  expect(() => readExitCode({ exitCode })).toThrow('cannot be read: exec.exitCode'),
)
