import { type AttestationsAnswer, attestationsAnswer } from '@rackfair/protocol/uptime'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { askMonitor } from './askMonitor.ts'
import type { KeptAttestation } from './findWrongImages.ts'

/** Enough for one order in one period: 96 attestations with a promise each. */
const MAX_BYTES = 256 * 1024

/** The body of a monitor's `GET /v1/attestations/{period}/{market}/{orderId}`. */
export const writeAttestations = (attestations: readonly KeptAttestation[]): string =>
  JSON.stringify({
    attestations: attestations.map(({ epoch, beacon, deployment, image, signature, promise }) => ({
      ...{ epoch, beacon, deployment, image, signature, promise },
    })),
  } satisfies AttestationsAnswer)

/**
 * Fetches what a monitor of the chain publishes of an order at its URL. Signatures are not checked.
 * @throws Error if there is no well-formed answer within ten seconds and 256 KiB.
 * @example await fetchAttestations('https://monitor.example', 985, 7, market, 12n)
 */
export async function fetchAttestations(
  peer: string,
  chainId: number,
  period: number,
  market: LowerCaseAddress,
  orderId: bigint,
): Promise<KeptAttestation[]> {
  const said = await askMonitor(peer, `/v1/attestations/${period}/${market}/${orderId}`, chainId, MAX_BYTES)
  return attestationsAnswer.parse(said).attestations.map((one) => ({ ...one, market, orderId }) as KeptAttestation)
}
