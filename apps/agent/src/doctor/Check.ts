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

/** What a person reads of them: a line for each, and below it what to do. */
export function checkLines(checks: readonly Check[]): string {
  return checks
    .map(
      ({ name, ok, found, fix, warning }) =>
        `${warning ? 'warn' : ok ? 'pass' : 'FAIL'}  ${name}: ${found}${fix ? `\n      ${fix}` : ''}`,
    )
    .join('\n')
}
