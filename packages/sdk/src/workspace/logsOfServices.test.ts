import { encodeFrame, FRAME } from '@rackfair/protocol/frames'
import { encodeLogBatch, type LogLine } from '@rackfair/protocol/logLines'
import { expect, test } from 'vitest'
import { logsOfServices } from './logsOfServices.ts'
import type { Workspace } from './Workspace.ts'

const line = (time: number, text: string, source: LogLine['source'] = 'stdout'): LogLine => ({
  ...{ time, source, bytes: new TextEncoder().encode(text), more: false, cut: false, gap: false },
})
type Batches = Readonly<Record<string, readonly (readonly LogLine[])[]>>

/** Machines with these batches of each service, the main one without a name. Those who follow are not told of an end. */
function machine(batches: Batches) {
  const asked: unknown[] = []
  const open = async (_kind: string, request: unknown) => {
    asked.push(request)
    const {
      service = '',
      tail,
      cursor,
      follow,
    } = request as { service?: string; tail?: number; cursor?: string; follow?: boolean }
    const all = batches[service] ?? []
    const from = cursor === undefined ? 0 : Number(cursor.split('.')[0])
    const left = tail === undefined ? all.slice(from) : [all.flat().slice(-tail)].filter((one) => one.length > 0)
    let end = () => {}
    const closed = new Promise<void>((resolve) => {
      end = resolve
    })
    async function* incoming() {
      for (const [index, lines] of left.entries())
        yield encodeFrame(FRAME.logBatch, encodeLogBatch({ cursor: `${from + index + 1}.0.0.0`, lines: [...lines] }))
      if (follow) await closed
    }
    return { incoming: incoming(), closed, cancel: end }
  }
  return { workspace: { open } as unknown as Workspace, asked }
}
const SHOP: Batches = {
  '': [[line(1, 'the machine starts it', 'agent'), line(4, 'web is up')], [line(9, 'GET /')]],
  db: [[line(2, 'db is up'), line(8, 'SELECT')]],
  cache: [],
}
const SERVICES = ['web', 'db', 'cache']
async function read(batches: Batches, options: Parameters<typeof logsOfServices>[2] = {}, count = Number.POSITIVE_INFINITY) {
  const { workspace, asked } = machine(batches)
  const lines: { service: string | undefined; text: string; cursor?: string | undefined }[] = []
  for await (const { service, bytes, cursor } of logsOfServices(workspace, SERVICES, options)) {
    lines.push({ service, text: new TextDecoder().decode(bytes), ...(cursor === undefined ? {} : { cursor }) })
    if (lines.length === count) break
  }
  return { lines, asked, texts: lines.map(({ service, text }) => `${service}: ${text}`) }
}

test('are one log by time, each line with its service', async () => {
  const { texts, asked } = await read(SHOP)
  expect(texts).toEqual(['undefined: the machine starts it', 'db: db is up', 'web: web is up', 'db: SELECT', 'web: GET /'])
  expect(asked).toEqual([{ follow: false }, { follow: false, service: 'db' }, { follow: false, service: 'cache' }])
})

test('go on behind a cursor, which stands where nothing is left of what was read', async () => {
  const { lines } = await read(SHOP)
  expect(lines.map(({ cursor }) => cursor)).toEqual([
    undefined,
    undefined,
    undefined,
    'web:1.0.0.0,db:1.0.0.0',
    'web:2.0.0.0,db:1.0.0.0',
  ])
  const { texts, asked } = await read(SHOP, { cursor: 'web:1.0.0.0,db:1.0.0.0' })
  expect(texts).toEqual(['web: GET /'])
  expect(asked).toContainEqual({ follow: false, cursor: '1.0.0.0', service: 'db' })
})

test.each([
  [2, ['db: SELECT', 'web: GET /']],
  [0, []],
  [100, ['undefined: the machine starts it', 'db: db is up', 'web: web is up', 'db: SELECT', 'web: GET /']],
])('begin %i lines before the end of all together', async (tail, expected) =>
  expect((await read(SHOP, { tail })).texts).toEqual(expected),
)

test('are followed, also where one has written nothing, until nobody reads', async () => {
  const { texts } = await read(SHOP, { follow: true }, 5)
  expect(texts.at(-1)).toBe('web: GET /')
})

test('read ahead a little only', async () => {
  const many = Array.from({ length: 50 }, (_, batch) => Array.from({ length: 100 }, (_, at) => line(batch * 100 + at + 10, 'x')))
  const { lines } = await read({ ...SHOP, db: many })
  expect(lines).toHaveLength(5003)
  expect(lines.slice(0, 4).map(({ service }) => service)).toEqual([undefined, 'web', 'web', 'db'])
})

test('fail as one of them does', async () => {
  const { workspace } = machine(SHOP)
  const broken = {
    open: async (kind: never, request: { service?: string }) => {
      if (request.service === 'db') throw Object.assign(new Error('none'), { code: 'service_unknown' })
      return workspace.open(kind, request)
    },
  } as unknown as Workspace
  await expect(async () => {
    for await (const _ of logsOfServices(broken, SERVICES));
  }).rejects.toThrow()
})
