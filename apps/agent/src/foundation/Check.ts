/** One requirement of a provider's machine. */
export interface Check {
  name: string
  ok: boolean
  found: string
  /** What to do if it is not met. */
  fix?: string
  /** It works, but should be fixed. */
  warning?: true
}

export function check(name: string, ok: boolean, found: string, fix: string): Check {
  return ok ? { name, ok, found } : { name, ok, found, fix }
}

/** The checks as text: a line for each, and below it what to do. */
export function checkLines(checks: readonly Check[]): string {
  return checks
    .map(
      ({ name, ok, found, fix, warning }) =>
        `${warning ? 'warn' : ok ? 'pass' : 'FAIL'}  ${name}: ${found}${fix ? `\n      ${fix}` : ''}`,
    )
    .join('\n')
}

/** Checking builds nothing: it takes minutes and the network. */
export const NO_IMAGE = {
  found: 'not tried: the image of nginx is not built',
  fix: 'run rackfair-agent images sync nginx, then doctor again',
}
