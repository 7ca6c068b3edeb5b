import { caaFor, type Issuers, issuersOf } from '@rackfair/rules/network/issuers'
import type { NameProof } from '@rackfair/sdk/proveName'
import { describe, expect, it } from 'vitest'
import { EXIT } from '../exitCodes.ts'
import { en } from '../texts/en.ts'
import { zh } from '../texts/zh.ts'
import { warningOf } from './domain.ts'
import { judge } from './visit.ts'

const CERTIFICATE = 'ab'.repeat(32)
const shown = { certificate: CERTIFICATE, issuer: 'CN=Some Authority', isTrusted: true }

describe.each([
  ['en', en],
  ['zh', zh],
])('%s', (_, text) => {
  it.each<[string, NameProof, number, string[]]>([
    ['the agent', { who: 'agent', ...shown }, EXIT.ok, [text.endsTls.agent(CERTIFICATE)]],
    ['somebody in between', { who: 'other', ...shown }, EXIT.refused, [text.endsTls.other(CERTIFICATE)]],
    ['nobody knows who', { who: 'unproven', ...shown }, EXIT.refused, [text.endsTls.unproven(CERTIFICATE)]],
    ['nobody', { who: 'silent', reason: 'ECONNREFUSED' }, EXIT.unreachable, [text.endsTls.silent('ECONNREFUSED')]],
    [
      'the agent, by an authority that this computer does not trust',
      { who: 'agent', ...shown, isTrusted: false },
      EXIT.ok,
      [text.endsTls.untrusted(shown.issuer), text.endsTls.agent(CERTIFICATE)],
    ],
  ])('visit says that %s ends TLS, and ends so that a script knows', (_who, proof, exitCode, notes) => {
    expect(judge(proof, text)).toEqual({ notes, exitCode })
    for (const note of notes) expect(note).toMatch(/abab|Some Authority|ECONNREFUSED/)
  })

  const own = caaFor('ca.example', 'https://ca.example/acct/1')
  const bound = 'ca.example; accounturi=https://ca.example/acct/1'
  const elsewhere = 'ca.example; accounturi=https://ca.example/acct/2'
  const records = (...issue: string[]) => issuersOf(issue.map((one) => ({ critical: 0, issue: one })))
  const of = (issuers: Issuers | undefined, caa: string | null = own, alias?: string) =>
    warningOf(text, { domain: 'shop.example', alias, issuers }, caa)

  it('domain warns wherever somebody else could be given a certificate, and nowhere else', () => {
    const { caaOpen } = text
    expect(of(records(bound))).toBeUndefined()
    expect(of(records(elsewhere), null), 'before the machine has an account').toBeUndefined()
    expect(of(records())).toBe(caaOpen.anybody('shop.example'))
    expect(of(records(';'))).toBe(caaOpen.nobody('shop.example'))
    expect(of(records('ca.example'))).toBe(caaOpen.authority('shop.example', 'ca.example'))
    expect(of(records(bound, 'other.example'))).toBe(caaOpen.authority('shop.example', `${bound} other.example`))
    expect(of(records(elsewhere))).toBe(caaOpen.account('shop.example', elsewhere))
    expect(of(records(bound, elsewhere))).toBe(caaOpen.account('shop.example', `${bound} ${elsewhere}`))
    expect(of(undefined)).toBe(caaOpen.unknown('shop.example'))
    expect(of(records(bound), own, 'o-1.edge.example'), 'whose CAA counts').toBe(
      caaOpen.alias('shop.example', 'o-1.edge.example'),
    )
  })
})
