import { expect, test } from 'vitest'
import { alertCreated, alertsAnswer, readAlerts, readAlertTest, readCreatedAlert } from './alerts.ts'
import { zodOf } from './zodOf.ts'

const ALERT = {
  ...{ id: '4', kind: 'webhook', target: 'https://example.com/hook', events: ['sold', 'gas'], createdAt: 1_800_000_000 },
  ...{ confirmed: true, last: { at: 1_800_000_060, error: 'answered 500', attempts: 2 } },
}
const RECENT = { id: '9', at: 1_800_000_060, event: 'sold', orderId: '12', state: 'waiting' }
const answer = (alert: object = {}, recent: object = {}) => ({
  ...{ alerts: [{ ...ALERT, ...alert }], mail: false, recent: [{ ...RECENT, ...recent }] },
})

test('parses the alerts of an account with their last deliveries', () => {
  expect(readAlerts(zodOf(alertsAnswer).parse(answer()))).toEqual({ ...answer(), recent: [{ ...RECENT, orderId: 12n }] })
  expect(readAlerts(answer({ last: null }, { orderId: null }))).toMatchObject({ recent: [{ orderId: null }] })
  expect(readCreatedAlert(zodOf(alertCreated).parse({ alert: ALERT, secret: 'shh' }))).toEqual({ alert: ALERT, secret: 'shh' })
  expect([readAlertTest({ error: null }), readAlertTest({ error: 'answered 500' })]).toEqual([null, 'answered 500'])
})

test.each([
  ['an event that nobody knows', answer({ events: ['rain'] }), 'alerts.alerts.events'],
  ['more events than there are', answer({ events: Array(8).fill('sold') }), 'alerts.alerts.events'],
  ['a pigeon', answer({ kind: 'pigeon' }), 'alerts.alerts.kind'],
  ['a target of a million characters', answer({ target: 'x'.repeat(1_000_000) }), 'alerts.alerts.target'],
  ['an attempt and a half', answer({ last: { ...ALERT.last, attempts: 1.5 } }), 'alerts.alerts.last.attempts'],
  ['an error that is an object', answer({ last: { ...ALERT.last, error: {} } }), 'alerts.alerts.last.error'],
  ['an order that is none', answer({}, { orderId: '-1' }), 'alerts.recent.orderId'],
  ['a message on no day', answer({}, { at: 1e15 }), 'alerts.recent.at'],
  ['eleven alerts', { ...answer(), alerts: Array(11).fill(ALERT) }, 'alerts.alerts'],
  ['seven messages', { ...answer(), recent: Array(7).fill(RECENT) }, 'alerts.recent'],
])('%s is refused', (_, json, field) => expect(() => readAlerts(json)).toThrow(`cannot be read: ${field}`))

test('refuses a secret or an error of another type', () => {
  expect(() => readCreatedAlert({ alert: ALERT, secret: 5 })).toThrow(/created.secret/)
  expect(() => readAlertTest({})).toThrow(/test.error/)
})
