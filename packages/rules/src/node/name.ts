import { plainNumber } from '../text/plainNumber.ts'

/** `provider name-index`: node ids start at 1, so the id is the specification's 1-based node index and never changes. */
export function nodeName(providerName: string, nodeId: number): string {
  return `${providerName}-${nodeId}`
}

/** `2 × RTX 4090`, or an empty text for none. */
export function modelText({ model, count }: { model: string; count: number }): string {
  return count === 0 ? '' : `${count} × ${model}`
}

/** Converts GB to the decimal text of TB (1 TB = 1000 GB), exactly. */
export function gbToTb(gb: number): string {
  const whole = Math.floor(gb / 1000)
  const rest = String(gb % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return rest === '' ? String(whole) : `${whole}.${rest}`
}

/** Converts the decimal text of TB to whole GB; `undefined` unless it is a plain decimal with at most three digits after the point. */
export function tbToGb(text: string): number | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,3}))?$/.exec(plainNumber(text))
  if (!match) return undefined
  return Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'))
}
