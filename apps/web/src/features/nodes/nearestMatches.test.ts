import { isGpu } from '@rackfair/rules/gpu/gpuName'
import type { NodeOffer } from '@rackfair/rules/node/node'
import type { Preset } from '@rackfair/rules/presets'
import { describe, expect, it } from 'vitest'
import { type Find, nearestMatches } from './nearestMatches.ts'
import { NO_FILTER, type NodeFilter, understood } from './nodeFilter.ts'

/** Name, GPU model, GPUs, memory in GB, USD a month, applications whose image is there; cheapest first. */
const MARKET = [
  ['vm-1', '', 0, 11, 9, ['nginx']],
  ['dune-1', 'RTX 4090', 2, 64, 346, ['nginx']],
  ['dune-2', 'RTX 4090', 2, 64, 347, []],
  ['basalt-1', 'H100 80GB', 1, 256, 1764, []],
  ['cobalt-1', 'A100 80GB', 4, 512, 1801, []],
] as const

const has = (word: string, name: string, gpu: string) => `${name}\n${gpu}`.toLowerCase().includes(word.toLowerCase())

const find: Find = async (filter, limit) => {
  const words = filter.text.split(' ').filter(Boolean)
  const ignored = words.filter((word) => !MARKET.some(([name, gpu]) => has(word, name, gpu)))
  const nodes = MARKET.filter(
    ([name, gpu, gpus, memory, price, ready]) =>
      words.every((word) => ignored.includes(word) || has(word, name, gpu)) &&
      gpus >= filter.minGpus &&
      memory >= filter.minMemory &&
      (filter.maxPrice === '' || price <= Number(filter.maxPrice)) &&
      (filter.gpu.length === 0 || filter.gpu.some((wanted) => isGpu(wanted, gpu))) &&
      (filter.runs === '' || ready.some((one) => one === filter.runs)),
  ).map(([name]) => ({ name }) as NodeOffer)
  return { total: nodes.length, nodes: nodes.slice(0, limit), ignored }
}

const of = (typed: string, more: Partial<NodeFilter> = {}) => understood({ ...NO_FILTER, ...more, text: typed })
const told = async (filter: NodeFilter, app?: Preset) =>
  (await nearestMatches(filter, find, app)).map(({ node, misses }) => [
    node.name,
    misses.map(({ key, ...chip }) => ('value' in chip ? `${key} ${chip.value}` : key)).join(', '),
  ])

describe('the nearest matches', () => {
  it('are up to three machines that miss only one condition', async () =>
    expect(await told(of('rtx 4090 under $300'))).toEqual([
      ['vm-1', 'gpu-RTX 4090 RTX 4090'],
      ['dune-1', 'price'],
      ['dune-2', 'price'],
    ]))

  it('omit first what nothing for sale has', async () => {
    expect(await told(of('16x h100'))).toEqual([['basalt-1', 'minGpus 16']])
  })

  it('have a GPU where one was asked for, though nothing has the model or the number', async () => {
    const found = await told(of('9 gpus b300'))
    expect(found.map(([name]) => name)).toEqual(['dune-1', 'dune-2', 'basalt-1'])
    expect(found[0]?.[1]).toBe('gpu-B300 B300, minGpus 9')
    expect((await told(of('b300'))).map(([name]) => name)).toEqual(['dune-1', 'dune-2', 'basalt-1'])
    expect((await told(of('2000 gb ram under $1')))[0]?.[0]).toBe('vm-1')
  })

  it('miss several conditions if every machine does, and no word that makes no difference', async () => {
    const found = await nearestMatches(of('16x h100 blorp under $40'), find)
    expect(found[0]?.misses.map(({ key }) => key)).toEqual(['minGpus', 'gpu-H100'])
    for (const { without, node } of found) expect((await find(without, 5)).nodes).toContainEqual(node)
  })

  it('match the size of an application without an image anywhere', async () => {
    const app = {
      name: 'stablediffusion',
      gpu: { model: '', count: 1, memoryGb: 0 },
      cores: 0,
      memoryGb: 16,
      diskGb: 0,
    } as Preset
    expect(await told(of('', { runs: 'stablediffusion' }), app)).toEqual([
      ['dune-1', 'runs stablediffusion'],
      ['dune-2', 'runs stablediffusion'],
      ['basalt-1', 'runs stablediffusion'],
    ])
  })

  it('are empty in an empty market', async () =>
    expect(await nearestMatches(of('16x h100 under $40'), async () => ({ total: 0, nodes: [], ignored: [] }))).toEqual([]))
})
