import { describe, expect, test } from 'vitest'
import { shellLine, shellWords } from './shellWords.ts'

const words = (text: string) => shellWords(text).words.map(({ text: word }) => word)
const wordsAtLines = (text: string) => shellWords(text).words.map(({ text: word, line }) => `${line} ${word}`)

describe('a command is split into words', () => {
  test.each<[string, string, string[]]>([
    ['at spaces', 'a  b c ', ['a', 'b', 'c']],
    ['at tabs', 'a\tb', ['a', 'b']],
    ['before a line break of Windows', 'a b\r\n', ['a', 'b']],
    ['not at an escaped space', 'a\\ b', ['a b']],
    ['not inside single quotes', "'a b'", ['a b']],
    ['not inside double quotes', '"a b"', ['a b']],
    ['not between quotes that touch', `a'b'"c"d`, ['abcd']],
    ['also where a word is empty', `'' "" a`, ['', '', 'a']],
    ['of nothing', '', []],
    ['of blanks', ' \t\n ', []],
  ])('%s', (_, text, expected) => expect(shellWords(text)).toMatchObject({ words: expected.map((word) => ({ text: word })) }))

  test.each<[string, string, string[]]>([
    ['outside quotes, before any character', 'a\\$b \\"c\\" \\\\ \\# \\;', ['a$b', '"c"', '\\', '#', ';']],
    ['in double quotes, before $, `, " and itself', '"\\$A \\` \\" \\\\"', ['$A ` " \\']],
    ['in double quotes, not before other characters', '"\\n \\\' \\a"', ["\\n \\' \\a"]],
    ['not in single quotes', "'\\$A \\n'", ['\\$A \\n']],
  ])('a backslash escapes %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
    expect(shellWords(text).words.flatMap(({ variables }) => variables)).toEqual([])
  })

  test.each<[string, string, string[]]>([
    ['after the command', 'a b # c d', ['a', 'b']],
    ['that ends the text', 'a #', ['a']],
    ['before the command', '# a\nb c', ['b', 'c']],
    ['that is everything', '# a', []],
    ['but not inside a word', 'a#b', ['a#b']],
    ['but not in quotes', '"#a" \'# b\'', ['#a', '# b']],
  ])('ignores a comment %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
    expect(shellWords(text).brokenAt).toBeUndefined()
  })

  test.each<[string, string[]]>([
    ['a{b}', ['a{b}']],
    ['a[0]', ['a[0]']],
    ['hello!', ['hello!']],
    ['a~b', ['a~b']],
    ['"*?;|&<>(){}[]~!"', ['*?;|&<>(){}[]~!']],
    ["'`*?;|&<>(){}[]~!$A'", ['`*?;|&<>(){}[]~!$A']],
  ])('%s has no special meaning', (text, expected) => expect(shellWords(text)).toMatchObject({ words: [{ text: expected[0] }] }))
})

describe('the line of a word is the one that it starts in', () => {
  test.each<[string, string, string[]]>([
    ['after empty lines', '\n\n a b', ['3 a', '3 b']],
    ['after a comment', '# x\na', ['2 a']],
    ['after a continuation', 'a \\\n  b \\\n  c', ['1 a', '2 b', '3 c']],
    ['after a continuation of Windows', 'a \\\r\n  b', ['1 a', '2 b']],
    ['although a continuation is inside it', 'a\\\nb c', ['1 ab', '2 c']],
    ['although it has line breaks in single quotes', "'a\nb\nc' d", ['1 a\nb\nc', '3 d']],
    ['although it has line breaks in double quotes', '"a\nb\nc" d', ['1 a\nb\nc', '3 d']],
    ['although it has a continuation in double quotes', '"a\\\nb" c', ['1 ab', '2 c']],
  ])('%s', (_, text, expected) => expect(wordsAtLines(text)).toEqual(expected))
})

describe('variables', () => {
  test.each<[string, string[]]>([
    ['$A', ['A']],
    ['$HOME_2', ['HOME_2']],
    ['$_', ['_']],
    [`\${A}`, ['A']],
    [`\${HOME_2}`, ['HOME_2']],
    ['x$A-y', ['A']],
    [`$A/\${B}`, ['A', 'B']],
    [`"x $A \${B} y"`, ['A', 'B']],
    ['$A}', ['A']],
    [`$${'A'.repeat(128)}`, ['A'.repeat(128)]],
  ])('of %s are listed, and the word is left as written', (text, variables) =>
    expect(shellWords(text)).toEqual({ words: [{ text: text.replaceAll('"', ''), variables, line: 1 }] }),
  )

  test.each(['\\$A', "'$A'", '"\\$A"'])('%s has none', (text) =>
    expect(shellWords(text).words.map(({ variables }) => variables)).toEqual([[]]),
  )
})

describe('more than one plain command is refused', () => {
  test.each([
    ...['a; b', 'a | b', 'a && b', 'a &', 'a > b', 'a < b', '(a)', 'a (b)', 'a`b`', '`a`', '*', 'a*', 'a?', '?'],
    ...['{a,b}', 'a {b}', '}', '[a]', 'a ]', '!a', 'a ! b', '~', 'a ~/b'],
    ...['$(a)', '"$(a)"', '"`a`"', '$1', '$1$B', '$', '"$"', `\${A:-b}`, `"\${A:-b}"`, `\${A`, `\${1}`, '$$'],
    ...["'a", '"a', "a 'b", '"a\\', 'a\\'],
  ])('%s', (text) => expect(shellWords(text).brokenAt).toBe(1))

  test('and the words before it are kept', () => expect(words('a b ; c')).toEqual(['a', 'b']))

  test.each<[string, string, number]>([
    ['a pipe', 'a \\\n b \\\n | c', 3],
    ['another command', 'a b\nc', 2],
    ['another command after an empty line before the first', '\na b\nc', 3],
    ['a quote that is not closed', 'a \\\n "b', 2],
    ['a quote after a comment', '# x\n"a\n', 3],
  ])('at the line of %s', (_, text, line) => expect(shellWords(text).brokenAt).toBe(line))

  test.each(['a\n', 'a\n\n', 'a\n  \t\n', 'a\n# b', 'a\n\n# b; c\n  # d\n', 'a\r\n\r\n'])(
    'but %j ends after the command',
    (text) => expect(shellWords(text)).toEqual({ words: [{ text: 'a', variables: [], line: 1 }] }),
  )

  test.each(['a\n# b\nc', 'a\nb # c', 'a\n  b'])('but %j does not', (text) => expect(shellWords(text).brokenAt).toBe(2))
})

describe('quotes words into one line', () => {
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
  ])('%j', (list, line) => {
    expect(shellLine(list)).toBe(line)
    expect(words(line)).toEqual(list)
  })
})
