import { createApi } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { createClient, custom } from 'viem'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '../session.ts'
import { en } from '../texts/en.ts'
import { chooseMachine, search } from './market.ts'

const PROVIDERS = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb'] as const
const HOUR = 3_600
const NODES = [
  nodeAnswer({ cp: PROVIDERS[0], id: 1, nodename: 'vm-1', minTerm: 24 * HOUR }),
  nodeAnswer({ cp: PROVIDERS[0], id: 2, nodename: 'vm-2', region: 'DE', driver: '550.90.07' }),
  nodeAnswer({ cp: PROVIDERS[1], id: 1, nodename: 'twin-1' }),
  nodeAnswer({ cp: PROVIDERS[0], id: 3, nodename: 'twin-1' }),
]
const MODELS = ['A100 SXM 80GB', 'H100 80GB', 'RTX 4090']

const printed = { data: [] as [unknown, string][], notes: [] as string[] }
beforeEach(() => {
  printed.data = []
  printed.notes = []
})

let asked = new URLSearchParams()

/** A platform that answers a filter for a GPU with nothing, any other search with all machines. */
const api = createApi({
  baseUrl: 'http://market.example',
  fetch: async (url) => {
    asked = new URL(String(url)).searchParams
    const isFiltered = asked.has('gpu')
    const facets = { gpu: MODELS.map((value) => ({ value, count: 1 })), cpu: [], idle: 4, online: 4, verified: 0 }
    const items = isFiltered ? [] : NODES
    return Response.json({ items, next: null, total: items.length, facets, histogram: [], ignored: ['vps'], block: 1 })
  },
})
/** A chain that is at the block of these answers. */
const client = createClient({ transport: custom({ request: async () => '0x1' }) })
const session = {
  text: en,
  signal: new AbortController().signal,
  output: {
    json: false,
    data: (value: unknown, text: string) => printed.data.push([value, text]),
    note: (text: string) => printed.notes.push(text),
    progress: () => undefined,
  },
  market: async () => ({ api, client }),
} as unknown as Session

it('names the models that come nearest where nobody has the one asked for', async () => {
  const refused = { exitCode: 4, code: 'not_found', message: 'No machine has the GPU RTX 4080. There are RTX 4090.' }
  await expect(search(session, [], { gpu: 'RTX 4080' })).rejects.toMatchObject(refused)
  await expect(chooseMachine(session, undefined, { cheapest: true, term: HOUR, gpu: 'RTX 4080' })).rejects.toMatchObject(refused)
  await expect(search(session, [], { gpu: 'quantum' })).rejects.toMatchObject({
    message: expect.stringContaining(MODELS.join(', ')),
  })
  expect(printed.data).toEqual([])
})

it('says that nothing matches where the model is there and something else is not', async () => {
  await search(session, ['vps'], { gpu: 'nvidia-a100-80gb', minGpus: '8' })
  expect(printed.notes).toEqual(['ignored: vps', en.noMatch])
  expect(printed.data[0]?.[0]).toMatchObject({ nodes: [], total: 0, ignored: ['vps'] })
  await expect(
    chooseMachine(session, undefined, { cheapest: true, term: HOUR, gpu: 'A100', minGpus: '8' }),
  ).rejects.toMatchObject({
    ...{ exitCode: 4, message: en.noMachine },
  })
})

it('lists and filters by driver and country, where they are known', async () => {
  await search(session, [], { region: 'de,fr', minDriver: '550' })
  expect([asked.get('region'), asked.get('minDriver')]).toEqual(['DE,FR', '550'])
  const lines = printed.data[0]?.[1].split('\n') ?? []
  expect(lines[0]).toMatch(/ DRIVER +COUNTRY /)
  expect(lines[1]).toMatch(/ - +- /)
  expect(lines[2]).toMatch(/ 550\.90\.07 +DE /)
})

it('takes a machine by the name that search prints, if there is one of it', async () => {
  expect(await chooseMachine(session, 'vm-2', { term: HOUR })).toEqual({
    provider: PROVIDERS[0],
    nodeId: 2,
    name: `vm-2 (${PROVIDERS[0]}/2)`,
  })
  await expect(chooseMachine(session, 'vm-9', { term: HOUR })).rejects.toMatchObject({ exitCode: 4, code: 'not_found' })
  await expect(chooseMachine(session, 'twin-1', { term: HOUR })).rejects.toMatchObject({
    ...{ exitCode: 2, message: expect.stringContaining(`${PROVIDERS[1]}/1, ${PROVIDERS[0]}/3`) },
  })
})

it('passes over a machine that is sold for longer only', async () => {
  const cheapest = async (term: number | undefined) => (await chooseMachine(session, undefined, { cheapest: true, term })).nodeId
  expect([await cheapest(23 * HOUR), await cheapest(24 * HOUR), await cheapest(undefined)]).toEqual([2, 1, 1])
})
