import { expect, test } from 'vitest'
import { loadCatalog } from '../presets/loadCatalog.ts'
import type { Gpu } from '../runtime/Gpu.ts'
import { presetsFor } from './presetsFor.ts'

const presets = [...loadCatalog().values()]
const SMALL = ['apache', 'nginx', 'ubuntu']
const WITH_PORTS = ['mefs-provider', 'mefs-user', 'postgresql', 'minio']
const ON_GPU = ['facefusion', 'stablediffusion', 'pytorch', 'ollama', 'vllm', 'comfyui']
const cpu = { model: 'Xeon Silver 4316', processors: 2, coresPerProcessor: 16 }
const large = { cpu, memoryGb: 256, diskMostGb: 2000 }
const gpus = (...models: string[]) =>
  models.map(
    (model, index): Gpu => ({ ...{ id: String(index), vendor: 'nvidia', model, memoryMb: 24_564 }, device: '', card: '' }),
  )

const namesFor = (hardware: Parameters<typeof presetsFor>[1], hasPorts = true) =>
  presetsFor(presets, hardware, hasPorts).map(({ wire }) => wire.name as string)

test.each([
  [
    'a small server',
    { cpu: { ...cpu, processors: 1, coresPerProcessor: 1 }, memoryGb: 1, diskMostGb: 5 },
    [],
    SMALL,
    ['desktop', ...ON_GPU],
  ],
  ['a server without GPUs', large, [], [...SMALL, 'desktop', 'postgresql'], ON_GPU],
  ['a server with a GPU', large, gpus('RTX 4090'), [...SMALL, 'desktop', ...ON_GPU], []],
  ['a small GPU beside a large one', large, gpus('RTX 2060', 'RTX 4090'), ON_GPU, []],
  ['a GPU with little memory', large, gpus('RTX 2060'), SMALL, ['vllm']],
])('leaves out what %s is too small for', (_, machine, cards, has, lacks) => {
  const names = namesFor({ ...machine, gpus: cards })
  expect(names).toEqual(expect.arrayContaining(has))
  expect(names.filter((name) => lacks.includes(name))).toEqual([])
})

test('leaves out applications with ports where there is none to map', () => {
  const without = namesFor({ ...large, gpus: [] }, false)
  expect(namesFor({ ...large, gpus: [] }).filter((name) => !without.includes(name))).toEqual(WITH_PORTS)
})
