import { type AttestationsAnswer, attestationsAnswer } from '@rackfair/protocol/uptime'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { askMonitor } from './askMonitor.ts'
import type { KeptAttestation } from './findWrongImages.ts'
import type { MonitorUrl } from './readMonitorUrls.ts'

/** Enough for one order in one period: 96 attestations with a promise each. */
const MAX_BYTES = 256 * 1024

/** The body of a monitor's `GET /v1/attestations/{period}/{market}/{orderId}`. */
export const writeAttestations = (attestations: readonly Omit<KeptAttestation, 'monitor'>[]): string =>
  JSON.stringify({
    attestations: attestations.map(({ epoch, beacon, deployment, image, signature, promise }) => ({
      ...{ epoch, beacon, deployment, image, signature, promise },
    })),
  } satisfies AttestationsAnswer)

/**
 * Fetches what a monitor of the chain publishes at its URL of what was attested to it of an order. Signatures are not checked.
 * @throws Error if there is no well-formed answer within ten seconds and 256 KiB.
 * @example await fetchAttestations({ monitor, url: 'https://monitor.example' }, 985, 7, market, 12n)
 */
export async function fetchAttestations(
  { monitor, url }: MonitorUrl,
  chainId: number,
  period: number,
  market: LowerCaseAddress,
  orderId: bigint,
): Promise<KeptAttestation[]> {
  const said = await askMonitor(url, `/v1/attestations/${period}/${market}/${orderId}`, chainId, MAX_BYTES)
  return attestationsAnswer.parse(said).attestations.map((one) => ({ ...one, market, orderId, monitor }) as KeptAttestation)
}
