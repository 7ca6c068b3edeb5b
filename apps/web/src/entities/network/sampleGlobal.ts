import type { NetworkTotals } from '@rackfair/sdk/http'

/** Shown only while the platform cannot be reached, always under the words "sample figures". Memory and storage in GB. */
export const SAMPLE_GLOBAL: NetworkTotals = {
  providers: 200,
  nodes: { listed: 300, sold: 100 },
  nodesOnline: 300,
  memoryGb: { listed: 12_000, sold: 1000 },
  diskGb: { listed: 30_000, sold: 2000 },
  cpus: { listed: 0, sold: 0 },
  gpus: { listed: 0, sold: 0 },
  medianDeployMs: null,
}
