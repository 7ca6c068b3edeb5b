import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { presetList } from '@rackfair/protocol/presets'
import { zodOf } from '@rackfair/protocol/zodOf'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { describe, expect, it } from 'vitest'
import { SAMPLE_PROVIDERS, type SampleProvider } from '../../../market/src/sampleProviders.ts'
import { withModels } from '../../../web/src/features/nodes/modelsInText.ts'
import { NO_FILTER, nodeQueryOf, understood } from '../../../web/src/features/nodes/nodeFilter.ts'
import { nodeWireOf } from './nodeWireOf.ts'
import { SearchIndex } from './SearchIndex.ts'
import { searchEntryOf } from './searchEntryOf.ts'
import { searchNodes } from './searchNodes.ts'
import { wishedQuery } from './wishedQuery.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PRESETS = zodOf(presetList).parse(JSON.parse(readFileSync(join(ROOT, 'presets/catalog.json'), 'utf8')))
const DOCUMENT = readFileSync(join(ROOT, 'docs/searches.md'), 'utf8')
const [, ...SECTIONS] = DOCUMENT.split(/^## /m)
const phrasesOf = (section: string) => [...section.matchAll(/^\| `(.+?)` \|/gm)].map(([, typed = '']) => typed)
const asked = (title: string) => phrasesOf(SECTIONS.find((section) => section.startsWith(`${title}\n`)) ?? '')
const ENGLISH = asked('As people ask')
const CHINESE = asked('As people ask in Chinese')
const HARDWARE = asked('As drivers, schedulers and other markets name hardware')

const usd = (amount: number) => BigInt(Math.round(amount * 100)) * 10n ** 16n

/** The nodes that a sample provider sells: equal parts of its machine. */
function nodesOf({ name, nodes, region, hardware: { cpu, memoryGb, diskGb, gpus }, prices }: SampleProvider, place: number) {
  return Array.from({ length: nodes }, (_, at) => {
    const part = {
      ...{ nCPU: cpu.processors / nodes, core: cpu.coresPerProcessor, nGPU: (gpus?.count ?? 0) / nodes },
      ...{ nMEM: memoryGb / nodes, nDISK: diskGb / nodes },
    }
    const price = { cpu: usd(Number(prices.cpu)), gpu: usd(Number(prices.gpu ?? 0)), memory: usd(Number(prices.memory)) }
    const rate = price.cpu * BigInt(part.nCPU) + price.gpu * BigInt(part.nGPU) + price.memory * BigInt(part.nMEM)
    const row = {
      ...{ cp: lowerCaseAddress(`0x${String(place + 1).padStart(40, '0')}`), id: at + 1, exist: 1, rev: 1, orderId: 0, avail: 0 },
      ...{
        cpuModel: cpu.model,
        gpuModel: gpus?.model ?? '',
        ...part,
        rate: String(rate),
        online: 1,
        addedTime: place,
        minTerm: 0,
      },
      ...{ pCPU: String(price.cpu), pGPU: String(price.gpu), pMEM: String(price.memory), pDISK: '0' },
    }
    const around = {
      ...{
        providerName: name,
        pledge: String(usd(10_000)),
        pledgeLocked: '0',
        penalty: 86_400,
        soldUntil: null,
        offlineSince: null,
        heard: true,
      },
      machine: {
        cores: cpu.processors * cpu.coresPerProcessor,
        memoryGb,
        diskGb,
        gpus: gpus?.count ?? 0,
        takes: undefined,
        region,
      },
      ...{ oversold: [], reliability: undefined, verification: undefined },
    }
    return nodeWireOf(row, around)
  })
}

const INDEX = new SearchIndex(SAMPLE_PROVIDERS.flatMap(nodesOf).map((wire, at) => searchEntryOf(wire, at)))

/** As the API and the command line search, which pass the sentence on. */
function found(query: Parameters<typeof searchNodes>[1]) {
  const { runs } = wishedQuery(query).query
  const { items, ignored } = searchNodes(
    INDEX,
    query,
    PRESETS.find(({ name }) => name === runs),
  )
  return { names: items.map(({ nodename }) => nodename), ignored }
}

/** As the page searches: it takes the sentence apart itself, for its chips. */
function foundOnPage(typed: string): ReturnType<typeof found> {
  const { facets } = searchNodes(INDEX, {})
  const models = { gpu: facets.gpu.map(({ value }) => value), cpu: facets.cpu.map(({ value }) => value) }
  const { sort, ...filter } = nodeQueryOf(withModels(understood({ ...NO_FILTER, text: typed }), models))
  const query = Object.fromEntries(
    Object.entries({ ...filter, sort }).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]),
  )
  return found(query)
}

describe('the documented searches on the market of samples', () => {
  it('are a hundred in English, sixty in Chinese and forty names of hardware', () =>
    expect([ENGLISH.length, CHINESE.length, HARDWARE.length]).toEqual([100, 60, 40]))

  it('end in no match at most five times', () => {
    const nothing = [...ENGLISH, ...CHINESE, ...HARDWARE].filter((typed) => found({ text: typed }).names.length === 0)
    expect(nothing.length, nothing.join('\n')).toBeLessThanOrEqual(5)
  })

  it.each(SECTIONS.flatMap(phrasesOf))('find the same machines on the page and by the API: %s', (typed) => {
    const [page, api] = [foundOnPage(typed), found({ text: typed })]
    expect(page.names.toSorted()).toEqual(api.names.toSorted())
    expect(page.ignored?.toSorted()).toEqual(api.ignored?.toSorted())
  })

  it('say what they ignore', () => {
    expect(found({ text: 'ubuntu 22.04' }).ignored).toEqual(['22.04'])
    expect(found({ text: 'minecraft server' }).ignored).toEqual(['minecraft'])
    expect(found({ text: 'H100 for 20 years' }).ignored).toEqual(['for 20 years'])
    expect(found({ text: '便宜的4090' }).ignored).toEqual([])
  })

  it('begin with the cheapest where that is asked for', () => expect(found({ text: 'cheap 4090' }).names[0]).toMatch(/^dune-/))
})
