/** The parts of a node from which its display texts are made. `memGb` and `diskGb` are whole gigabytes. */
export interface NodeFacts {
  id: number
  cpuModel: string
  nCPU: number
  core: number
  gpuModel: string
  nGPU: number
  nMEM: number
  nDISK: number
}
