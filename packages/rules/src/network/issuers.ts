/** A CAA record (RFC 8659), as resolvers of Node tell it: one member beside `critical`. */
export type CaaRecord = Readonly<Record<string, unknown>>

/**
 * Who may issue a certificate for a name: `anybody` without a CAA record, `nobody`, `authority` for anyone who passes the check of an
 * authority that is named, and `account` where each authority named is bound to one account (RFC 8657).
 */
export type Issuers = { who: 'anybody' } | { who: 'nobody' } | { who: 'authority' | 'account'; issue: readonly string[] }

/**
 * Reads the CAA records that hold for a name.
 *
 * @example issuersOf([{ critical: 0, issue: 'ca.example; accounturi=https://ca.example/acct/1' }]) // { who: 'account', issue: ['ca.example; …'] }
 */
export function issuersOf(records: readonly CaaRecord[]): Issuers {
  const issue = records.flatMap((one) => (typeof one.issue === 'string' ? [one.issue.trim().slice(0, 500)] : []))
  // Records of other kinds alone restrict nothing (RFC 8659, 4.2).
  if (issue.length === 0) return { who: 'anybody' }
  const named = issue.filter((one) => authorityIn(one) !== '')
  if (named.length === 0) return { who: 'nobody' }
  return { who: named.every((one) => accountIn(one) !== undefined) ? 'account' : 'authority', issue: named }
}

/** Whether no other account may issue than the one that a record names, as `caaFor` writes it. */
export function isBoundTo(issuers: Issuers, record: string): boolean {
  const own = accountIn(/^0 issue "([^"]*)"$/.exec(record)?.[1] ?? '')
  return own !== undefined && issuers.who === 'account' && issuers.issue.every((one) => accountIn(one) === own)
}

/** The checks that agents pass for a single name, as CAA records list them. */
export const CAA_METHODS = 'tls-alpn-01,http-01'

/**
 * The CAA record that lets one account of an authority issue, by the checks that agents use, and nobody else.
 * @example caaFor('letsencrypt.org', 'https://acme.example/acct/1') // '0 issue "letsencrypt.org; accounturi=https://acme.example/acct/1; validationmethods=tls-alpn-01,http-01"'
 */
export const caaFor = (authority: string, accountUri: string): string =>
  `0 issue "${authority}; accounturi=${accountUri}; validationmethods=${CAA_METHODS}"`

const partsOf = (issue: string): string[] => issue.split(';').map((part) => part.trim())
const authorityIn = (issue: string): string => (partsOf(issue)[0] ?? '').toLowerCase()
/** The value of `accounturi`; undefined where it is not said, or not once. */
function accountIn(issue: string): string | undefined {
  const said = partsOf(issue)
    .slice(1)
    .flatMap((part) => /^accounturi\s*=\s*(\S+)$/i.exec(part)?.[1] ?? [])
  return said.length === 1 ? said[0] : undefined
}

/** The names whose CAA records are looked for, in this order; the first that has some counts. */
export function namesWithCaa(name: string): string[] {
  const labels = name.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}
