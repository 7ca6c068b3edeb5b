import { findingsAbi, marketAbi } from '@rackfair/contracts'
import { expect, test } from 'vitest'
import { en } from '../messages.en.ts'
import { zh } from '../messages.zh.ts'

test('has a word for every event of an order on its receipt, in both languages', () => {
  const ofOrder = [...marketAbi, ...findingsAbi].flatMap((entry) =>
    entry.type === 'event' && entry.inputs.some(({ name }) => name === 'id' || name === 'orderId') ? [entry.name] : [],
  )
  expect(ofOrder).toContain('DowntimeFinal')
  for (const { receiptEvents } of [en, zh]) expect(Object.keys(receiptEvents)).toEqual(expect.arrayContaining(ofOrder))
})
