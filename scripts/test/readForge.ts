import type { Counts } from './Step.ts'

interface ForgeSuite {
  test_results: Record<
    string,
    { status: 'Success' | 'Failure' | 'Skipped'; reason?: string | null; kind: { Invariant?: { calls: number } } }
  >
}

/**
 * The counts of `forge test --json`: its last line that is a JSON object. A missing random campaign, or one that passed with fewer calls
 * than `campaignCalls`, counts as one failure, because it is not the requested campaign.
 */
export function readForge(output: string, campaignCalls: number): Counts {
  const line = output
    .split('\n')
    .reverse()
    .find((text) => text.startsWith('{'))
  if (!line) throw new Error('forge printed no JSON')
  const results = Object.entries(JSON.parse(line) as Record<string, ForgeSuite>).flatMap(([file, suite]) =>
    Object.entries(suite.test_results).map(([name, result]) => ({ ...result, name: `${file} > ${name}` })),
  )
  const count = (status: string) => results.filter((result) => result.status === status).length
  const failed = count('Failure')
  const campaigns = results.flatMap(({ kind }) => (kind.Invariant ? [kind.Invariant.calls] : []))
  const calls = Math.min(...campaigns)
  const asked = campaigns.length > 0 && calls >= campaignCalls
  return {
    passed: count('Success'),
    failed: failed === 0 && !asked ? 1 : failed,
    skipped: count('Skipped'),
    note: `random calls: ${campaigns.join(' and ')}, ${campaignCalls} each were asked for`,
    failures: results.filter(({ status }) => status === 'Failure').map(({ name, reason }) => `${name}\n    ${reason ?? ''}`),
  }
}
