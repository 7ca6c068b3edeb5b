/** A provider of `--sample`: a simulated machine, split into `nodes` nodes, and its monthly prices. */
export interface SampleProvider {
  name: string
  /** The country that its agent states. */
  region: string
  nodes: number
  /** The hardware its agent is configured to simulate, see the guide for providers. */
  hardware: {
    cpu: { model: string; processors: number; coresPerProcessor: number }
    memoryGb: number
    diskGb: number
    gpus?: { model: string; count: number }
    driver?: string
  }
  /** USD per processor, GPU and GB of memory. */
  prices: { cpu: string; gpu?: string; memory: string }
}

/** Machines as people rent them, from a workstation to eight cards in one: so that there is something to choose from and to compare. */
export const SAMPLE_PROVIDERS: readonly SampleProvider[] = [
  {
    ...{ name: 'aurora', region: 'FI', nodes: 1, prices: { cpu: '96', gpu: '149', memory: '0.5' } },
    hardware: {
      cpu: { model: 'EPYC 7763', processors: 2, coresPerProcessor: 64 },
      ...{ memoryGb: 512, diskGb: 4000, gpus: { model: 'RTX 4090', count: 8 }, driver: '565.57.01' },
    },
  },
  {
    ...{ name: 'basalt', region: 'IS', nodes: 2, prices: { cpu: '210', gpu: '1290', memory: '0.8' } },
    hardware: {
      cpu: { model: 'Xeon Platinum 8480', processors: 2, coresPerProcessor: 56 },
      ...{ memoryGb: 512, diskGb: 6000, gpus: { model: 'H100 80GB', count: 2 }, driver: '565.57.01' },
    },
  },
  {
    ...{ name: 'cobalt', region: 'US', nodes: 2, prices: { cpu: '118', gpu: '745', memory: '0.6' } },
    hardware: {
      cpu: { model: 'EPYC 7543', processors: 2, coresPerProcessor: 32 },
      ...{ memoryGb: 512, diskGb: 4000, gpus: { model: 'A100 80GB', count: 4 }, driver: '560.35.05' },
    },
  },
  {
    ...{ name: 'dune', region: 'DE', nodes: 2, prices: { cpu: '43', gpu: '129', memory: '0.4' } },
    hardware: {
      cpu: { model: 'Xeon Silver 4316', processors: 2, coresPerProcessor: 20 },
      ...{ memoryGb: 128, diskGb: 2000, gpus: { model: 'RTX 4090', count: 4 }, driver: '560.35.05' },
    },
  },
  {
    ...{ name: 'ember', region: 'US', nodes: 2, prices: { cpu: '148', memory: '0.45' } },
    hardware: { cpu: { model: 'EPYC 9554', processors: 2, coresPerProcessor: 64 }, memoryGb: 768, diskGb: 3200 },
  },
]
