import type { Counts } from './Step.ts'

interface ForgeSuite {
  test_results: Record<string, { status: 'Success' | 'Failure' | 'Skipped' }>
}

/** The counts of `forge test --json`: its last line that is a JSON object. */
export function readForge(output: string): Counts {
  const line = output
    .split('\n')
    .reverse()
    .find((text) => text.startsWith('{'))
  if (!line) throw new Error('forge printed no JSON')
  const results = Object.values(JSON.parse(line) as Record<string, ForgeSuite>).flatMap((suite) =>
    Object.values(suite.test_results),
  )
  const count = (status: string) => results.filter((result) => result.status === status).length
  return { passed: count('Success'), failed: count('Failure'), skipped: count('Skipped') }
}
