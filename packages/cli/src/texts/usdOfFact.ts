import { formatCredit } from '@rackfair/rules/money'

/** An amount among an error's facts in USD; facts can be untrusted. */
export const usdOfFact = (wei: string | number | boolean | undefined): string =>
  /^\d{1,40}$/.test(String(wei)) ? formatCredit(BigInt(String(wei)), { min: 2 }) : '?'
