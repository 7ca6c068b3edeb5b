import { DAY_SECONDS, HOUR_SECONDS, MONTH_SECONDS } from '@rackfair/rules/duration'
import { formatCredit, parseCredit } from '@rackfair/rules/money'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { plainNumber } from '@rackfair/rules/text/plainNumber'
import type { KeyLimits, PurseKey, PurseRight } from '@rackfair/sdk'
import { type Address, getAddress, isAddress } from 'viem'

/** The limits of a key as they are typed: amounts in USD. Empty prices and hours are no limit, an empty refill is none. */
export interface KeyFields {
  name: string
  total: string
  refill: string
  hour: string
  gpuHour: string
  hours: string
  days: string
  rights: readonly PurseRight[]
  at: KeyPlaces
  /** Their addresses, where the key may use only some; between them spaces, commas or lines. */
  providers: string
}

/** Whether a key may use every provider, or those that are listed. */
export type KeyPlaces = 'any' | 'listed'

export type KeyStart = 'ci' | 'agent' | 'look'

const HOURS_A_MONTH = BigInt(MONTH_SECONDS / HOUR_SECONDS)
const MAX_HOURS = 86_400
const MAX_DAYS = 3_650
export const MAX_NAME = 40
/** As the contract takes them. */
const MAX_PROVIDERS = 64

/** What the form begins with. */
export const STARTS: Readonly<Record<KeyStart, Omit<KeyFields, 'name' | 'at' | 'providers'>>> = {
  ci: {
    total: '5',
    refill: '',
    hour: '0.60',
    gpuHour: '',
    hours: '3',
    days: '30',
    rights: ['buy', 'end', 'deploy', 'workspace'],
  },
  agent: {
    ...{ total: '4', refill: '4', hour: '', gpuHour: '0.50', hours: '8', days: '30' },
    rights: ['buy', 'extend', 'end', 'deploy', 'workspace'],
  },
  look: { total: '0', refill: '', hour: '', gpuHour: '', hours: '', days: '30', rights: ['workspace'] },
}

export type KeyProblem = 'name' | 'total' | 'refill' | 'hour' | 'gpuHour' | 'hours' | 'days' | 'rights' | 'providers'

/** What the form asks for, or which fields are wrong. `now` in Unix seconds. */
export function readKeyFields(fields: KeyFields, now: number): { limits: KeyLimits } | { problems: ReadonlySet<KeyProblem> } {
  const amount = (text: string) => (text.trim() === '' ? undefined : (parseCredit(plainNumber(text)) ?? 'wrong'))
  const whole = (text: string, most: number) => {
    const typed = plainNumber(text)
    return /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most ? Number(typed) : 'wrong'
  }
  const totalWei = amount(fields.total) ?? 'wrong'
  const refillWei = amount(fields.refill)
  const hourWei = amount(fields.hour)
  const gpuHourWei = amount(fields.gpuHour)
  const hours = fields.hours.trim() === '' ? undefined : whole(fields.hours, MAX_HOURS)
  const days = whole(fields.days, MAX_DAYS)
  const read = { total: totalWei, refill: refillWei, hour: hourWei, gpuHour: gpuHourWei, hours, days }
  const problems = new Set<KeyProblem>((Object.keys(read) as (keyof typeof read)[]).filter((key) => read[key] === 'wrong'))
  const name = fields.name.trim()
  if (name === '' || [...name].length > MAX_NAME) problems.add('name')
  if (fields.rights.length === 0) problems.add('rights')
  // A key that does not spend pays nobody.
  const isLimited = fields.at === 'listed' && maySpend(fields.rights)
  const providers = isLimited ? addressesIn(fields.providers) : undefined
  if (isLimited && providers === undefined) problems.add('providers')
  if (problems.size > 0) return { problems }
  return {
    limits: {
      ...{ totalWei: totalWei as bigint, refillWei: refillWei as bigint | undefined },
      maxMonthWei: hourWei === undefined ? undefined : (hourWei as bigint) * HOURS_A_MONTH,
      ...{ maxGpuHourWei: gpuHourWei as bigint | undefined, maxTermHours: hours as number | undefined },
      ...{ validUntil: now + (days as number) * DAY_SECONDS, rights: fields.rights },
      providers,
    },
  }
}

/** Undefined where one is not an address, or there are none or too many. */
function addressesIn(text: string): Address[] | undefined {
  const words = text.split(/[\s,;，；、]+/).filter((word) => word !== '')
  if (!words.every((word) => isAddress(word))) return undefined
  const addresses = [...new Set(words.map((word) => getAddress(word)))]
  return addresses.length > 0 && addresses.length <= MAX_PROVIDERS ? addresses : undefined
}

/** The form for a key that has a grant. The contract does not list its providers, so they are to be named again. */
export function fieldsOf(key: PurseKey, name: string, now: number): KeyFields {
  const usd = (wei: bigint | undefined) => (wei === undefined ? '' : formatCredit(wei))
  return {
    name,
    total: usd(key.totalWei),
    refill: key.refillWei === 0n ? '' : usd(key.refillWei),
    hour: usd(key.maxMonthWei === undefined ? undefined : accruedWei(key.maxMonthWei, HOUR_SECONDS)),
    gpuHour: usd(key.maxGpuHourWei),
    hours: key.maxTermHours >= MAX_HOURS ? '' : String(key.maxTermHours),
    days: String(Math.min(MAX_DAYS, Math.max(1, Math.ceil((key.validUntil - now) / DAY_SECONDS)))),
    rights: key.rights,
    ...{ at: key.isAnyProvider ? 'any' : 'listed', providers: '' },
  }
}

/** What a thief could spend at most until the key ends, in wei: all of it, and what is added each day. */
export const worstWei = ({ totalWei, refillWei = 0n, validUntil }: KeyLimits, now: number): bigint =>
  totalWei + refillWei * BigInt(Math.max(0, Math.ceil((validUntil - now) / DAY_SECONDS)))

export const maySpend = (rights: readonly PurseRight[]): boolean => rights.includes('buy') || rights.includes('extend')

/** Whether a key can do nothing more at `now`, in Unix seconds. */
export const isOver = (key: Pick<PurseKey, 'isRevoked' | 'validUntil'>, now: number): boolean =>
  key.isRevoked || key.validUntil <= now

/** How many seconds a purse pays for its renewals, at most what a date can hold; undefined where nothing is renewed. */
export function renewalSeconds(holdsWei: bigint, ratesPerMonthWei: readonly bigint[]): number | undefined {
  const rate = ratesPerMonthWei.reduce((sum, one) => sum + one, 0n)
  return rate === 0n ? undefined : Number((holdsWei * BigInt(MONTH_SECONDS)) / rate)
}
