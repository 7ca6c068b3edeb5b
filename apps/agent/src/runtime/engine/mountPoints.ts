import { readFileSync } from 'node:fs'

/** Where something is mounted, in the order in which it was. The kernel writes blanks and backslashes in octal. */
export const mountPoints = (): string[] =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[1] ?? '').replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    )
