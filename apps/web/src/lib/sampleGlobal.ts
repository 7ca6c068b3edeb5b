import type { GlobalWire } from '@rackfair/core/wire'

/** Shown only while the platform cannot be reached, always under the words "sample figures". Memory and storage in GB. */
export const SAMPLE_GLOBAL: GlobalWire = {
  cpNumber: 200,
  nodeGlobal: 300,
  nodeUsed: 100,
  nodeOnline: 300,
  memGlobal: 12_000,
  memUsed: 1000,
  diskGlobal: 30_000,
  diskUsed: 2000,
  cpuGlobal: 0,
  cpuUsed: 0,
  gpuGlobal: 0,
  gpuUsed: 0,
  medianDeployMs: null,
}
