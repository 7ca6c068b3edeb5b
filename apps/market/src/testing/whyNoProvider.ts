import { whyNoRoom } from '@rackfair/testkit'
import { missingPackages } from '../../../../scripts/systemPackages.mjs'

/** Why this machine cannot run a provider in a test; undefined when it can. */
export function whyNoProvider(): string | undefined {
  const missing = missingPackages('provider') ?? ['a Debian system']
  if (missing.length > 0) return `no container engine: ${missing.join(', ')}`
  return process.getuid?.() === 0 ? whyNoRoom() : 'not root'
}
