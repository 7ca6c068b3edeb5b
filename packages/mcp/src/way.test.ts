import { expect, test } from 'vitest'
import { KEY_NAME, wayOf } from './way.ts'

const KEY = 'k'.repeat(32)

test.each([
  [[], 'stdio'],
  [['--http', '3130'], { host: '127.0.0.1', port: 3130, key: KEY, isKeyMade: false }],
  [
    ['--http', '[::1]:0', '--name', 'a.example', '--name', 'b.example'],
    { host: '::1', port: 0, names: ['a.example', 'b.example'] },
  ],
  [['--http', '0.0.0.0:3130'], { host: '0.0.0.0', port: 3130 }],
  [['--http'], undefined],
  [['--http', '70000'], undefined],
  [['--http', 'somewhere'], undefined],
  [['--name', 'a.example'], undefined],
  [['--port', '1'], undefined],
])('reads %j', (args, expected) => {
  const way = wayOf(args, { [KEY_NAME]: KEY })
  if (typeof expected === 'object') expect(way).toMatchObject(expected)
  else expect(way).toBe(expected)
})

test('makes a key that nobody guesses, and takes none that somebody might', () => {
  const made = wayOf(['--http', '1'], {})
  expect(made).toMatchObject({ key: expect.stringMatching(/^[\w-]{43}$/), isKeyMade: true })
  expect(wayOf(['--http', '1'], {})).not.toEqual(made)
  for (const given of ['short', '', `${KEY}\u00e9`, `${KEY} ${KEY}`])
    expect(wayOf(['--http', '1'], { [KEY_NAME]: given })).toBeUndefined()
})

test.each([[['--help']], [['-h', '--http', '1']]])('%j asks how it is used', (args) => expect(wayOf(args, {})).toBe('help'))
