import { expect, test } from 'vitest'
import { visitUrl } from './deployment/visitUrl.ts'
import { gbToTb, modelText, nodeName, tbToGb } from './node/name.ts'
import { isTerminal, OrderStatus, shownStatus } from './order/status.ts'
import { isRegistered } from './provider/provider.ts'
import { cutText, shortAddress, shortEnsName } from './text/shortText.ts'
import { visibleJson, visibleText } from './text/visibleText.ts'

test('formats a node as in the node list', () => {
  expect(nodeName('helios', 3)).toBe('helios-3')
  expect(modelText({ model: 'RTX 4090', count: 2 })).toBe('2 × RTX 4090')
  expect(modelText({ model: 'RTX 4090', count: 0 })).toBe('')
})

test.each([0, 1, 999, 1000, 1500, 1_048_576])('converts %i GB to TB and back without loss', (gb) =>
  expect(tbToGb(gbToTb(gb))).toBe(gb),
)

test('shows an active order past its end as expired, and a closed one as closed', () => {
  const order = { status: OrderStatus.Active, activateTime: 100, duration: 50 }
  expect(shownStatus(order, 149)).toBe(OrderStatus.Active)
  expect(shownStatus(order, 150)).toBe(OrderStatus.Expired)
  expect(shownStatus({ ...order, status: OrderStatus.Completed }, 999)).toBe(OrderStatus.Completed)
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(isTerminal)).toEqual([false, false, false, true, true, true, true, false])
})

test('truncates addresses, names and long texts as specified', () => {
  expect(shortAddress('0x9f8200000000000000000000000000000000c2aa')).toBe('0x9f…c2aa')
  expect(shortAddress('0x12')).toBe('0x12')
  expect(shortAddress('0x12345')).toBe('0x12345')
  expect(shortAddress('0x123456')).toBe('0x12…3456')
  expect(shortEnsName('a'.repeat(24))).toBe('a'.repeat(24))
  expect(shortEnsName('a'.repeat(25))).toBe(`${'a'.repeat(24)}…`)
  expect(cutText('a'.repeat(100), 100)).toBe('a'.repeat(100))
  expect(cutText('ab', 100)).toBe('ab')
  expect(cutText('a'.repeat(101), 100)).toBe(`${'a'.repeat(99)}…`)
})

test('formats visit links as specified', () => {
  expect(visitUrl({ ip: '127.0.0.1', port: 7070 }, 5n, '0xab')).toBe('http://127.0.0.1:7070/?OrderId=5&UserAddress=0xab')
  expect(visitUrl({ ip: '::1', port: 80 }, 5n, '0xab')).toBe('http://[::1]:80/?OrderId=5&UserAddress=0xab')
})

test('escapes control and bidirectional characters, and keeps the value of JSON', () => {
  const hostile = 'a\u001b]0;title\u0007\u009b2J\u202egnp.exe\u{e0041}\ud800\rb\r\n\tc ö 機'
  expect(visibleText(hostile)).toBe('a\\x1b]0;title\\x07\\x9b2J\\u{202e}gnp.exe\\u{e0041}\\u{d800}\\x0db\n\tc ö 機')
  expect(visibleText('\u00ff\u0100 \u2028\u2029\u200b')).toBe('\u00ff\u0100 \\u{2028}\\u{2029}\\u{200b}')
  const json = visibleJson(JSON.stringify({ hostile }))
  expect(json).toMatch(/^[\x20-\x7eö機]+$/)
  expect(JSON.parse(json)).toEqual({ hostile })
})

test('treats a provider without domain and IP address as not registered', () => {
  expect(isRegistered({ ip: '', domain: '' })).toBe(false)
  expect([isRegistered({ ip: '203.0.113.7', domain: '' }), isRegistered({ ip: '', domain: 'helios.example' })]).toEqual([
    true,
    true,
  ])
})
