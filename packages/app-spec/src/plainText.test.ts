import { expect, test } from 'vitest'
import { isPlainText, isPlainValue } from './plainText.ts'

test('refuses a value with a control character or a lone surrogate', () => {
  for (const value of ['', 'a b', 'Größe', '機械', '😀', '\u00a0']) expect([value, isPlainValue(value)]).toEqual([value, true])
  for (const value of ['a\nb', '\0', '\x1b[2J', '\x7f', '\x85', '\x9b2J', '\ud83d', '\ude00', 'a\udc00b', '\ude00\ud83d'])
    expect([value, isPlainValue(value)]).toEqual([value, false])
})

test('takes a text of several lines where one may stand', () => {
  for (const value of ['a\nb\n', 'a\tb', 'a\r\nb', '\n', '機\n械']) expect([value, isPlainText(value)]).toEqual([value, true])
  for (const value of ['a\rb', 'a\n\r', 'a\n\0', '\x1b[2J\n', 'a\x0bb', 'a\u2028\x85', '\ud83d\n'])
    expect([value, isPlainText(value)]).toEqual([value, false])
})
