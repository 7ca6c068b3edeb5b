/** A country as ISO 3166-1 writes it, in which a provider says that its machine stands. */
export const REGION = /^[A-Z]{2}$/

/** The version of a driver, as `nvidia-smi` prints it. */
export const DRIVER_VERSION = /^\d{1,5}(?:\.\d{1,5}){0,3}$/

/**
 * Whether a driver is of a version or a later one. Numbers that are not given count as 0.
 * @example isDriverFrom('550.90.07', '550') // true
 */
export function isDriverFrom(version: string, least: string): boolean {
  const [has, wanted] = [version.split('.').map(Number), least.split('.').map(Number)]
  for (const [index, number] of wanted.entries()) {
    const other = has[index] ?? 0
    if (other !== number) return other > number
  }
  return true
}
