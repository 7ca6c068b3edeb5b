/** One requirement of a provider's machine. */
export interface Check {
  name: string
  ok: boolean
  found: string
  /** What to do about it when it is not met. */
  fix?: string
}

export function check(name: string, ok: boolean, found: string, fix: string): Check {
  return ok ? { name, ok, found } : { name, ok, found, fix }
}
