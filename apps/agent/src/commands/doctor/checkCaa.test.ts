import { caaFor, issuersOf } from '@rackfair/rules/network/issuers'
import { expect, it } from 'vitest'
import { checkCaa } from './checkCaa.ts'

const own = caaFor('ca.example', 'https://ca.example/acct/1')
const record = (issue: string) => issuersOf([{ critical: 0, issue }])

it('warns where others could be given a certificate, and names the record that prevents it', () => {
  const bound = record('ca.example; accounturi=https://ca.example/acct/1')
  expect(checkCaa('atlas.example', own, bound)).not.toHaveProperty('warning')
  for (const issuers of [
    undefined,
    issuersOf([]),
    record('ca.example'),
    record('ca.example; accounturi=https://ca.example/acct/2'),
  ])
    expect(checkCaa('atlas.example', own, issuers)).toMatchObject({ ok: true, warning: true, fix: expect.stringContaining(own) })
  expect(checkCaa('atlas.example', null, bound)).toMatchObject({
    warning: true,
    fix: expect.stringContaining('once the agent has'),
  })
  expect(checkCaa('atlas.example', own, record(';'))).toMatchObject({ ok: false })
})
