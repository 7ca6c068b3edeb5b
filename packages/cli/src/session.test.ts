import { AppError } from '@rackfair/core'
import { expect, test } from 'vitest'
import { sentenceOf } from './session.ts'
import { en } from './texts/en.ts'
import { zh } from './texts/zh.ts'

test.each([
  ['en', en],
  ['zh', zh],
])('explains each error in a sentence: %s', (_, text) => {
  const known = sentenceOf(new AppError('NodeSold', 'NodeSold()'), text)
  expect(known).toEqual({ code: 'NodeSold', message: text.errors.NodeSold() })
  expect(sentenceOf(new AppError('of_tomorrow', 'why'), text)).toEqual({ code: 'of_tomorrow', message: 'why' })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])(
  'has no sentence for an unexpected error code %s',
  (code) => expect(sentenceOf(new AppError(code, 'why'), en)).toEqual({ code, message: 'why' }),
)
