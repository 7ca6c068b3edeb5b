import { expect, it } from 'vitest'
import { checkCertificates } from './checkCertificates.ts'

const DAY = 86_400_000
const kept = (name: string, by: string | undefined, days: number) => ({
  ...{ name, by },
  beginsAt: new Date((days - 90) * DAY),
  endsAt: new Date(days * DAY),
})

it('names each certificate, the check that it came by and its end, and warns where one was not renewed', () => {
  expect(checkCertificates([], 0)).toMatchObject({ ok: true, found: expect.stringContaining('none yet') })
  const both = [
    kept('shop.example', 'http-01', 60),
    kept('*.atlas.edge.example', 'dns-01', 40),
    kept('o-1.old.example', undefined, 80),
  ]
  expect(checkCertificates(both, 0)).toEqual({
    ...{ name: 'certificates of names', ok: true },
    found:
      '*.atlas.edge.example by dns-01, until 1970-02-10; shop.example by http-01, until 1970-03-02; o-1.old.example by a check that is not known, until 1970-03-22',
  })
  expect(checkCertificates(both, 26 * DAY)).toMatchObject({
    warning: true,
    fix: expect.stringMatching(/^\*\.atlas\.edge\.example should/),
  })
  const many = Array.from({ length: 14 }, (_, at) => kept(`o-${at}.atlas.example`, 'tls-alpn-01', 60))
  expect(checkCertificates(many, 0).found).toMatch(/; 2 more$/)
})
