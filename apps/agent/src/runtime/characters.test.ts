import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { setsCharacters, TERMINAL_SCRIPT } from './characters.ts'

test.each([
  [[], false],
  [undefined, false],
  [['PATH=/bin', 'LANGUAGE=en', 'LANG='], false],
  [['LANG=de_DE.UTF-8'], true],
  [['LC_ALL=C'], true],
  [['LC_CTYPE=C.UTF-8'], true],
])('an image with %j says of its characters: %s', (env, does) => expect(setsCharacters(env)).toBe(does))

test.each([
  [{}, 'C.UTF-8||xterm-256color|a b'],
  [{ LANG: 'de_DE.UTF-8' }, 'de_DE.UTF-8||xterm-256color|a b'],
  [{ LC_ALL: 'C' }, '|C|xterm-256color|a b'],
])('a shell in a pod with %j says it where nothing else does', (env, said) => {
  const args = ['-c', TERMINAL_SCRIPT, 'sh', '/bin/sh', '-c', 'echo "$LANG|$LC_ALL|$TERM|$1"', 'sh', 'a b']
  expect(execFileSync('/bin/sh', args, { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })).toBe(`${said}\n`)
})
