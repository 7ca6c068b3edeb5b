import type { Check } from '../../foundation/Check.ts'

/** So many are named. */
const NAMED = 12
/** Renewal begins after two thirds of a life: where so little of it is left, that has failed for long. */
const LATE = 1 / 6

/** A certificate that an agent keeps; `by`: how the authority checked its name, where that is known. */
export interface KeptCertificate {
  name: string
  by: string | undefined
  beginsAt: Date
  endsAt: Date
}

/** The certificates of names, how each was proved, and whether they are renewed in time. */
export function checkCertificates(kept: readonly KeptCertificate[], now: number): Check {
  const name = 'certificates of names'
  if (kept.length === 0) return { name, ok: true, found: 'none yet: the first visitor, or the edge, makes the agent ask for one' }
  const sorted = [...kept].sort((a, b) => a.endsAt.getTime() - b.endsAt.getTime() || a.name.localeCompare(b.name))
  const named = sorted
    .slice(0, NAMED)
    .map((one) => `${one.name} by ${one.by ?? 'a check that is not known'}, until ${dayOf(one)}`)
  const found = [...named, ...(kept.length > NAMED ? [`${kept.length - NAMED} more`] : [])].join('; ')
  const late = sorted.filter(({ beginsAt, endsAt }) => endsAt.getTime() - now < (endsAt.getTime() - beginsAt.getTime()) * LATE)
  if (late.length === 0) return { name, ok: true, found }
  const fix = `${late
    .map((one) => one.name)
    .slice(0, NAMED)
    .join(', ')} should have been renewed: the agent's log says why not. Orders that are over need none`
  return { name, ok: true, warning: true, found, fix }
}

const dayOf = ({ endsAt }: KeptCertificate): string => endsAt.toISOString().slice(0, 10)
