import { type Issuers, isBoundTo } from '@rackfair/rules/network/issuers'
import type { Check } from '../../foundation/Check.ts'

/**
 * Whether somebody else could get a certificate for the names of this agent's orders. They work all the same, so this is only a warning.
 *
 * @param own the CAA record of this agent's account; null until it has one
 * @param issuers who may certify, by the CAA records of the domain; undefined where no resolver says it
 */
export function checkCaa(domain: string, own: string | null, issuers: Issuers | undefined): Check {
  const name = 'certificates by others'
  if (issuers?.who === 'nobody')
    return { name, ok: false, found: `CAA of ${domain} lets nobody issue`, fix: `give ${domain} ${recordOf(own)}` }
  if (issuers && own !== null && isBoundTo(issuers, own)) return { name, ok: true, found: 'none: CAA names this account alone' }
  const found = issuers === undefined ? 'unknown: no resolver answers' : FOUND[issuers.who]
  const fix = `whoever controls ${domain}, of an edge who runs it, could pretend to be your applications. A domain of your own whose DNS you alone control keeps them out, with ${recordOf(own)}`
  return { name, ok: true, warning: true, found, fix }
}

const FOUND = {
  anybody: 'possible: there is no CAA record',
  authority: 'possible: CAA names an authority, and no account',
  account: 'possible: CAA names another account',
} as const

const recordOf = (own: string | null): string =>
  own === null ? 'the CAA record that this check names once the agent has its first certificate' : `this record: CAA ${own}`
