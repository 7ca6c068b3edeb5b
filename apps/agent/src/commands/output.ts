export interface Output {
  /** Progress, for people; with --json on stderr, so that stdout stays one JSON value. */
  say(line: string): void
  /** The result: once, at the end. */
  result(json: unknown, text: string): void
}

export function createOutput(json: boolean): Output {
  return {
    say: (line) => (json ? process.stderr : process.stdout).write(`${line}\n`),
    result: (value, text) => process.stdout.write(json ? `${JSON.stringify(value, jsonBigint)}\n` : `${text}\n`),
  }
}

const jsonBigint = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
