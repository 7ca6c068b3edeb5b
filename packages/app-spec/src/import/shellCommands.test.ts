import { describe, expect, test } from 'vitest'
import { shellCommands } from './shellCommands.ts'
import { asWritten, isUnknown } from './unknownValue.ts'

const commands = (text: string) => shellCommands(text).commands.map(({ words }) => words.map(({ text: word }) => word))
const only = (text: string) => commands(text)[0] ?? []

describe('a command is split into words', () => {
  test.each<[string, string, string[]]>([
    ['at spaces and tabs', 'a  b\tc ', ['a', 'b', 'c']],
    ['before a line break of Windows', 'a b\r\n', ['a', 'b']],
    ['not at an escaped space', 'a\\ b', ['a b']],
    ['not inside quotes', `'a b' "c d"`, ['a b', 'c d']],
    ['not between quotes that touch', `a'b'"c"d`, ['abcd']],
    ['also where a word is empty', `'' "" a`, ['', '', 'a']],
    ['with escapes outside quotes', 'a\\$b \\"c\\" \\\\ \\# \\;', ['a$b', '"c"', '\\', '#', ';']],
    ['with few escapes in double quotes', '"\\$A \\` \\" \\\\ \\n"', ['$A ` " \\ \\n']],
    ['without escapes in single quotes', "'\\$A \\n'", ['\\$A \\n']],
    ['before a comment', 'a b # c d', ['a', 'b']],
    ['but not at a # inside a word', 'a#b', ['a#b']],
    ['with patterns as they stand', 'a{b} c[0] --d=* ~/e !f', ['a{b}', 'c[0]', '--d=*', '~/e', '!f']],
    ['over continuation lines', 'a \\\n  b\\\nc \\\r\n d', ['a', 'bc', 'd']],
    ['over those of PowerShell', 'a `\n  b', ['a', 'b']],
    ['with a dollar sign that starts nothing', 'a$ "$" 5$', ['a$', '$', '5$']],
  ])('%s', (_, text, words) => expect(only(text)).toEqual(words))

  test('and each knows its line', () =>
    expect(
      shellCommands('\n# x\na \\\n "b\nc" d\ne').commands.map(({ words }) => words.map(({ text, line }) => `${line} ${text}`)),
    ).toEqual([['3 a', '4 b\nc', '5 d'], ['6 e']]))
})

describe('variables', () => {
  test.each<[string, string[]]>([
    [`A=1\nrun $A "\${A}" x$A-y`, ['run', '1', '1', 'x1-y']],
    ['A=1; B=$A/2; run $B', ['run', '1/2']],
    ['export A="x y" B=2\nrun "$A" $B', ['run', 'x y', '2']],
    ['A="x y"\nrun $A', ['run', 'x', 'y']],
    ['A=""\nrun $A "$A" end', ['run', '', 'end']],
    ["A='$B'\nrun $A '$A' \\$A", ['run', '$B', '$A', '$A']],
    [`run \${A:-b} \${A-c} \${A:=d}`, ['run', 'b', 'c', 'd']],
    ['A=1\nA=2\nrun $A', ['run', '2']],
    ['A=1 run x', ['run', 'x']],
    ['run a `# optional` b', ['run', 'a', 'b']],
  ])('that are assigned before are filled in: %j', (text, words) => expect(only(text)).toEqual(words))

  test.each<[string, string[]]>([
    ['run $A', ['$A']],
    [`run \${A} x\${A}y`, [`\${A}`, `x\${A}y`]],
    ['run "$(pwd)/a b" `id -u`', ['$(pwd)/a b', '`id -u`']],
    ['run $(echo "$(a)" | b) $1 $? $@', ['$(echo "$(a)" | b)', '$1', '$?', '$@']],
    [`run \${A:?none} \${A:+b}`, [`\${A:?none}`, `\${A:+b}`]],
    ['A=1 run $A', ['$A']],
  ])('and output that only the user’s machine knows is unknown: %j', (text, words) => {
    const read = only(text).slice(1)
    expect(read.map(asWritten)).toEqual(words)
    expect(read.map(isUnknown)).toEqual(words.map(() => true))
  })

  test('do not grow without end', () => {
    const doubled = `a=xxxxxxxxxx\n${Array.from({ length: 60 }, () => 'a=$a$a').join('\n')}\nrun $a`
    const { brokenAt } = shellCommands(doubled)
    expect(brokenAt).toBeLessThan(30)
  })
})

describe('several commands', () => {
  test.each<[string, string[][], (string | undefined)[]]>([
    ['a; b', [['a'], ['b']], [';', undefined]],
    ['a\nb\n', [['a'], ['b']], [';', ';']],
    ['a && b || c | d & e', [['a'], ['b'], ['c'], ['d'], ['e']], ['&&', '||', '|', '&', undefined]],
    ['a > b 2>&1', [['a'], ['b']], ['>', '2>&1']],
    ['(a b)', [['a', 'b']], [')']],
    ['a=1\n\n# x\n', [], []],
  ])('%j', (text, expected, operators) => {
    expect(commands(text)).toEqual(expected)
    expect(shellCommands(text).commands.map(({ operator }) => operator)).toEqual(operators)
  })

  test.each<[string, number]>([
    ["a\n'b", 2],
    ['a "b\nc', 1],
    ['a\\', 1],
    ['a $(b', 1],
    ['a\nb `c', 2],
    [`a \${b`, 1],
  ])('%j does not end', (text, line) => expect(shellCommands(text).brokenAt).toBe(line))
})
