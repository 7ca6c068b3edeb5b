/** One requirement of a provider's machine. */
export interface Check {
  name: string
  ok: boolean
  found: string
  /** What to do about it when it is not met. */
  fix?: string
  /** It runs like this, but should not stay so. */
  warning?: true
}

export function check(name: string, ok: boolean, found: string, fix: string): Check {
  return ok ? { name, ok, found } : { name, ok, found, fix }
}
