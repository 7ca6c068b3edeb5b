import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandLine, commandWords } from './commandWords.ts'
import { shellCommands } from './shellCommands.ts'

describe('a command that no shell runs', () => {
  test.each<[string, string[]]>([
    ['a  b\tc \n d', ['a', 'b', 'c', 'd']],
    ['a\\ b', ['a b']],
    ["'a b' \"c d\" ''", ['a b', 'c d', '']],
    [`a'b'"c"d`, ['abcd']],
    ['"\\"\\\\\\$\\`" "\\n"', ['"\\$`', '\\n']],
    ["'\\n'", ['\\n']],
    ['a\\\nb', ['ab']],
    [`$A \${B} $(c) \`d\``, ['$A', `\${B}`, '$(c)', '`d`']],
    ['* ?.c [ab] {a,b} ~ !x #y (z)', ['*', '?.c', '[ab]', '{a,b}', '~', '!x', '#y', '(z)']],
    ['a=b&c --x=1;2 a|b', ['a=b&c', '--x=1;2', 'a|b']],
    ["';' \"&&\" \\| '>'", [';', '&&', '|', '>']],
    ['', []],
  ])('%j is split at its spaces', (text, words) => expect(commandWords(text)).toEqual({ words, isBroken: false }))

  test.each([
    'a ; b',
    'a; b',
    'a && b',
    'a || b',
    'a | b',
    'a > b',
    'a >> b',
    'a < b',
    'a 2> b',
    'a 2>&1',
    'a &',
    "a 'b",
    'a "b',
    'a\\',
  ])('%j was meant for one, or does not end', (text) => expect(commandWords(text).isBroken).toBe(true))
})

describe('words as one line', () => {
  test.each<[string[], string]>([
    [['a', 'b'], 'a b'],
    [['--a=b', 'c/d:1,2.3-4', 'e@f', '5%', '+g', '_h'], '--a=b c/d:1,2.3-4 e@f 5% +g _h'],
    [[''], "''"],
    [['a b'], "'a b'"],
    [['$a'], "'$a'"],
    [['a;'], "'a;'"],
    [['it\'s "b"'], `'it'\\''s "b"'`],
    [['a\nb'], "'a\nb'"],
    [[], ''],
  ])('%j', (list, line) => expect(commandLine(list)).toBe(line))

  test('are the same words again, for a shell as well', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 8 }), (list) => {
        expect(commandWords(commandLine(list))).toEqual({ words: list, isBroken: false })
        const named = ['run', ...list]
        expect(shellCommands(commandLine(named)).commands[0]?.words.map(({ text }) => text)).toEqual(named)
      }),
    ))
})
