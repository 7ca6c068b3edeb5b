import { describe, expect, it, test } from 'vitest'
import { CARDS } from './gpuCards.ts'
import { gpuMemoryGb } from './gpuMemory.ts'
import { cpuModelOf, findGpus, gpuModelOf, isGpu, modelKey, nearestModels, readGpuName } from './gpuName.ts'

/** As written by drivers, schedulers, other markets and people; the market's spelling; GB of one, if that is known. */
test.each([
  // nvidia-smi
  ['NVIDIA A100-SXM4-80GB', 'A100 SXM 80GB', 80],
  ['NVIDIA A100 80GB PCIe', 'A100 PCIe 80GB', 80],
  ['NVIDIA A100-PCIE-40GB', 'A100 PCIe 40GB', 40],
  ['NVIDIA GeForce RTX 4090', 'RTX 4090', 24],
  ['NVIDIA GeForce RTX 4090 D', 'RTX 4090 D', 24],
  ['NVIDIA GeForce RTX 4090 Laptop GPU', 'RTX 4090 Laptop', 16],
  ['NVIDIA GeForce RTX 3080 Ti Laptop GPU', 'RTX 3080 Ti Laptop', 16],
  ['NVIDIA GeForce RTX 3050 6GB Laptop GPU', 'RTX 3050 Laptop 6GB', 6],
  ['NVIDIA GeForce RTX 2080 Super with Max-Q Design', 'RTX 2080 SUPER Max-Q', 8],
  ['NVIDIA GeForce RTX 4070 Ti SUPER', 'RTX 4070 Ti SUPER', 16],
  ['NVIDIA GeForce GTX 1060 3GB', 'GTX 1060 3GB', 3],
  ['Tesla V100-SXM2-32GB', 'V100 SXM 32GB', 32],
  ['Tesla V100S-PCIE-32GB', 'V100S PCIe', 32],
  ['Tesla T4', 'T4', 16],
  ['NVIDIA H100 80GB HBM3', 'H100 80GB', 80],
  ['NVIDIA H100 PCIe', 'H100 PCIe', 80],
  ['NVIDIA H100 NVL', 'H100 NVL', 94],
  ['NVIDIA H200', 'H200', 141],
  ['NVIDIA RTX 6000 Ada Generation', 'RTX 6000 Ada', 48],
  ['NVIDIA RTX A6000', 'RTX A6000', 48],
  ['Quadro RTX 6000', 'Quadro RTX 6000', 24],
  ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTX PRO 6000', 96],
  // Slices: a part of a card is its own model.
  ['NVIDIA A100-SXM4-80GB MIG 1g.10gb', 'A100 SXM 80GB MIG 1g.10gb', 10],
  ['NVIDIA-A100-SXM4-40GB-MIG-1g.5gb', 'A100 SXM 40GB MIG 1g.5gb', 5],
  ['NVIDIA H100 80GB HBM3 MIG 3g.40gb', 'H100 80GB MIG 3g.40gb', 40],
  ['A100-SXM4-80GB MIG 1c.3g.40gb', 'A100 SXM 80GB MIG 1c.3g.40gb', 40],
  ['NVIDIA A100-SXM4-80GB MIG 1g.10gb+me', 'A100 SXM 80GB MIG 1g.10gb+me', 10],
  ['NVIDIA A40-8Q', 'A40 8Q', 8],
  ['A100 MIG', 'A100 MIG', undefined],
  // The number is not the GPU's memory.
  ['NVIDIA GH200 480GB', 'GH200', 96],
  // Kubernetes
  ['nvidia-a100-80gb', 'A100 80GB', 80],
  ['nvidia-tesla-t4', 'T4', 16],
  ['nvidia-h100-mega-80gb', 'H100 80GB', 80],
  ['NVIDIA-GeForce-RTX-3080', 'RTX 3080', 10],
  // SkyPilot, dstack
  ['A100-80GB:1', 'A100 80GB', 80],
  ['A100:80GB:2', 'A100 80GB', 80],
  ['rtx4090:2', 'RTX 4090', 24],
  ['H100-SXM', 'H100 SXM', 80],
  ['RTX4090:24GB', 'RTX 4090', 24],
  // Vast, Akash
  ['RTX_4090', 'RTX 4090', 24],
  ['RTX_3090_Ti', 'RTX 3090 Ti', 24],
  ['A100_SXM4', 'A100 SXM', 40],
  ['RTX_4070S_Ti', 'RTX 4070 Ti SUPER', 16],
  ['RTX_4080S', 'RTX 4080 SUPER', 16],
  ['Q_RTX_8000', 'Quadro RTX 8000', 48],
  ['vendor/nvidia/model/rtx4090', 'RTX 4090', 24],
  ['a100/ram/80Gi/interface/sxm', 'A100 SXM 80GB', 80],
  // AMD, Intel
  ['AMD Instinct MI300X OAM', 'MI300X', 192],
  ['Radeon RX 7900 XTX', 'RX 7900 XTX', 24],
  ['AMD Radeon PRO W7900', 'W7900', 48],
  ['Intel(R) Arc(TM) A770 Graphics', 'Arc A770', 8],
  ['Arc A770 16GB', 'Arc A770 16GB', 16],
  // People
  ['4090', 'RTX 4090', 24],
  ['2x RTX 4090', 'RTX 4090', 24],
  ['8xH100', 'H100', 80],
  ['rtx 4090 x2', 'RTX 4090', 24],
  ['RTX 4090 48GB', 'RTX 4090 48GB', 48],
  // What nobody knows is not guessed.
  ['RTX 4090 Ti', 'RTX 4090 Ti', undefined],
  ['RTX 4090 Max-Q', 'RTX 4090 Max-Q', undefined],
  ['RTX 4090 Turbofan', 'RTX 4090 Turbofan', undefined],
  ['RTX 6090', 'RTX 6090', undefined],
  ['RTX 6090 36GB', 'RTX 6090 36GB', 36],
  ['Own 1g.10gb', 'Own 1g.10gb', undefined],
  ['GPU', 'GPU', undefined],
])('%s is %s with %s GB', (written, model, memoryGb) => {
  expect(gpuModelOf(written)).toBe(model)
  expect(gpuModelOf(model)).toBe(model)
  expect(gpuMemoryGb(written)).toBe(memoryGb)
})

test.each([
  ['A100-80GB:4', 4],
  ['2x RTX 4090', 2],
  ['RTX 4090 ×8', 8],
  ['rtx4090:2', 2],
  ['RTX 4090', undefined],
] as const)('%s names %s', (written, count) => expect(readGpuName(written)?.count).toBe(count))

test('reads the name of every known card as it is, and with other separators', () => {
  for (const { name, memory } of CARDS)
    for (const written of [name, `NVIDIA ${name}`, name.toLowerCase(), name.replaceAll(' ', '_'), name.replaceAll(' ', '-')]) {
      expect(readGpuName(written)?.card, written).toBe(name)
      expect(gpuMemoryGb(written), written).toBe(Math.min(...memory))
    }
})

describe('what is asked for', () => {
  it.each([
    ['A100', 'NVIDIA A100-SXM4-80GB', true],
    ['A100 SXM', 'A100 80GB', true],
    ['A100 SXM', 'A100 PCIe 80GB', false],
    ['A100-80GB', 'A100 SXM 80GB', true],
    ['A100-80GB', 'A100', false],
    ['A100-40GB', 'A100', true],
    ['H100', 'H100 NVL', false],
    ['RTX 4090', 'RTX 4090 Laptop', false],
    ['RTX 4090', 'RTX 4090 D', false],
    ['RTX 4090', 'RTX 4090 Ti', false],
    ['rtx 4090 mobile', 'NVIDIA GeForce RTX 4090 Laptop GPU', true],
    ['A100', 'A100-SXM4-80GB MIG 1g.10gb', false],
    ['A100 MIG', 'A100-SXM4-80GB MIG 1g.10gb', true],
    ['NVIDIA-A100-SXM4-80GB-MIG-1g.10gb', 'A100-SXM4-80GB MIG 1g.10gb', true],
    ['NVIDIA-A100-SXM4-40GB-MIG-1g.10gb', 'A100-SXM4-80GB MIG 1g.10gb', false],
    ['own card', 'Own  Card', true],
    ['own card', 'Own Card 2', false],
  ])('%s: %s %s', (wanted, offered, is) => expect(isGpu(wanted, offered)).toBe(is))

  it('is told with the models that come nearest', () => {
    const offered = ['A100 80GB', 'H100 80GB', 'RTX 4090', 'RTX 4090 D', 'MI300X']
    expect(nearestModels('RTX 4080', offered)).toEqual(['RTX 4090', 'RTX 4090 D'])
    expect(nearestModels('5090', offered)[0]).toBe('RTX 4090')
    expect(nearestModels('?', offered)).toEqual([])
  })
})

test('finds names within a sentence, and leaves a size that stands apart and is not the card’s', () => {
  const found = (text: string) => findGpus(text).map(({ from, to }) => text.slice(from, to))
  expect(found('two A100-SXM4-80GB or one rtx 4090 64 GB')).toEqual(['A100-SXM4-80GB', 'rtx 4090'])
  expect(found('租4张4090和一张A100 80G')).toEqual(['4090', 'A100 80G'])
  expect(found('14090 a4090b x4090y')).toEqual([])
})

test('ends on any input', () => {
  for (const unit of ['nvidia ', 'rtx ', 'a100 ', '4090:', 'mig-', '1g.', ' ', '-', '8x'])
    expect(readGpuName(unit.repeat(50_000))?.card ?? '').toBe('')
})

test.each([
  ['Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz', 'Xeon Silver 4316'],
  ['AMD EPYC 7763 64-Core Processor', 'EPYC 7763'],
  ['xeon silver 4316', 'xeon silver 4316'],
])('%s is the processor %s', (written, model) => expect(cpuModelOf(written)).toBe(model))

it.each([
  ['gpu', 'NVIDIA A100-SXM4-80GB', 'a100_sxm 80G'],
  ['gpu', 'A card of Mine', 'a card of mine'],
  ['cpu', 'Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz', 'xeon silver 4316'],
  ['mem', '', 'whatever'],
  ['disk', 'NVMe', ''],
])('has one key of a %s for %s and %s', (kind, one, other) => expect(modelKey(kind, one)).toBe(modelKey(kind, other)))

it('has another key for another model', () => {
  expect(modelKey('gpu', 'RTX 4090')).not.toBe(modelKey('gpu', 'RTX 3090'))
  expect(modelKey('cpu', 'EPYC 7402')).not.toBe(modelKey('cpu', 'EPYC 7302'))
})
