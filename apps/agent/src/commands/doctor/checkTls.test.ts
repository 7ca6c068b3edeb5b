import { expect, it } from 'vitest'
import { checkTls } from './checkTls.ts'

it('warns of a public gateway without TLS', () => {
  expect(checkTls({ tls: false, publicHost: '203.0.113.7' })).toMatchObject({ ok: true, warning: true, found: 'no' })
  expect(checkTls({ tls: false, publicHost: '127.example' })).toMatchObject({ warning: true })
  for (const [tls, publicHost] of [
    [true, '203.0.113.7'],
    [false, '127.0.0.1'],
    [false, '::1'],
    [false, 'localhost'],
  ] as const)
    expect(checkTls({ tls, publicHost })).not.toHaveProperty('warning')
})
