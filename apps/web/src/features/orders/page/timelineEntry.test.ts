import type { OrderEvent } from '@rackfair/sdk/http'
import { expect, test } from 'vitest'
import { createFormat } from '../../../i18n/format.ts'
import { en } from '../messages.en.ts'
import { zh } from '../messages.zh.ts'
import { timelineEntry } from './timelineEntry.ts'

const event = (name: string, args: OrderEvent['args'] = {}): OrderEvent => ({
  name,
  block: 5,
  time: 1_800_000_000,
  logIndex: 2,
  transactionHash: `0x${'ab'.repeat(32)}`,
  args,
})
const write = (name: string, args?: Record<string, string | number | boolean>) =>
  timelineEntry(event(name, args), en, createFormat('en'), 'helios')

test('has a sentence for every event of an order', () => {
  expect(write('OrderCreated', { totalValue: String(954n * 10n ** 18n) }).text).toBe('Created and paid, $954.00')
  expect(write('OrderActivated').text).toBe('Activated by helios. Time and money start')
  expect(write('OrderExtended', { duration: 5_184_000, paid: '1000000000000000000' }).text).toBe(
    'Extended to 60d in all, $1.00 paid',
  )
  expect(write('DowntimeCredited', { total: 3600 })).toMatchObject({ tone: 'warn', text: expect.stringContaining('1h') })
  expect(write('DowntimeCredited', { total: 0, asOf: 1_800_000_000 }).text).toMatch(/^No downtime reported up to /)
  expect(write('Found', { finalAt: 1_800_000_000 })).toMatchObject({
    tone: 'warn',
    text: expect.stringContaining('disputed until'),
  })
  expect(write('FindingDropped').text).toContain('contradicted itself')
  expect(write('DowntimeFinal', { total: 900 }).text).toBe('What monitors found is final: down for 15m in all')
  expect(write('MaintenanceFinal', { maintenance: 600 }).text).toBe(
    'Of that 10m in announced maintenance: refunded, without a penalty',
  )
  expect(write('PaymentPending', { amount: '1000000000000000000', until: 1_800_000_000 }).text).toMatch(
    /^\$1\.00 waits for reports/,
  )
  expect(write('PendingSettled', { refunded: '1000000000000000000' }).text).toBe('The last hours are decided, $1.00 paid back')
  expect(write('PendingSettled', { refunded: '0' }).text).toBe('The last hours are decided, all of them were served')
  expect(write('OrderClosed', { status: 5, refunded: '0' })).toMatchObject({
    tone: 'bad',
    text: 'Cancelled by the provider. $0.00 paid back',
  })
  expect(write('AppSet', { app: 'nginx' }).text).toBe('Application set to nginx')
  expect(write('AppSet', { app: '' }).text).toBe('Application removed')
})

test('keeps the name of an unknown event', () => expect(write('Surprised').text).toBe('Surprised'))

test('has Chinese sentences too', () =>
  expect(timelineEntry(event('OrderClosed', { status: 4, refunded: '1' }), zh, createFormat('zh'), 'helios').text).toContain(
    '您已取消',
  ))
