import { AppError } from '@rackfair/core'
import { expect, test } from 'vitest'
import { sentenceOf } from './session.ts'
import { en } from './texts/en.ts'
import { zh } from './texts/zh.ts'

test.each([
  ['en', en],
  ['zh', zh],
])('a failure is told in a sentence: %s', (_, text) => {
  const known = sentenceOf(new AppError('NodeSold', 'NodeSold()'), text)
  expect(known).toEqual({ code: 'NodeSold', message: text.errors.NodeSold() })
  expect(sentenceOf(new AppError('of_tomorrow', 'why'), text)).toEqual({ code: 'of_tomorrow', message: 'why' })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])(
  'the code %s of an agent or a platform has no sentence',
  (code) => expect(sentenceOf(new AppError(code, 'why'), en)).toEqual({ code, message: 'why' }),
)
