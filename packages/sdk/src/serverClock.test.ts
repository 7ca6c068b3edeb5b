import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { parseWorkspaceText } from '@rackfair/protocol/workspaceText'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createApi } from './http/createApi.ts'
import { clockMinutesAhead, noteServerDate, serverSeconds } from './serverClock.ts'
import { makeWorkspaceKey } from './workspace/workspaceKey.ts'

const headers = (secondsOff: number, more: Record<string, string> = {}) =>
  new Headers({ date: new Date(Date.now() - secondsOff * 1000).toUTCString(), ...more })
const deviceSeconds = () => Date.now() / 1000
// A busy machine may wait for seconds between two lines. Dates of answers are whole seconds.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_000_000 }))
afterEach(() => {
  noteServerDate(headers(0))
  vi.useRealTimers()
})

it.each([
  ['a day ahead', 86_400, 1440],
  ['2 min ahead', 120, 2],
  ['20 min behind', -1200, -20],
  ['years behind', -1_000_000_000, -16_666_667],
])('takes the platform’s time on a device whose clock is %s', (_, off, minutes) => {
  noteServerDate(headers(off))
  expect(serverSeconds()).toBeCloseTo(deviceSeconds() - off, 0)
  expect(clockMinutesAhead()).toBe(minutes)
})

it.each([
  ['a moment late', () => headers(2)],
  ['without a date', () => new Headers()],
  ['with none that is one', () => new Headers({ date: 'soon' })],
  ['out of a cache', () => headers(3600, { age: '3600' })],
])('keeps the clock of the device after an answer %s', (_, late) => {
  noteServerDate(late())
  expect(serverSeconds()).toBe(deviceSeconds())
  expect(clockMinutesAhead()).toBe(0)
})

it.each([
  ['text_in_future', 180, { minutesAhead: 3 }],
  ['text_too_old', -1200, { minutesBehind: 20 }],
  ['not_found', 180, {}],
])('dates by any answer of the API, and tells how far the clock is off with %s', async (code, off, facts) => {
  const server = createServer((_, response) => {
    response.setHeader('date', headers(off).get('date') ?? '')
    response.writeHead(400).end(JSON.stringify({ code, message: 'no' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const error = await createApi({ baseUrl: `http://127.0.0.1:${port}` })
    .nonce()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code, facts: { status: 400, ...facts } })
  expect(Object.keys((error as { facts: object }).facts)).toHaveLength(1 + Object.keys(facts).length)

  const provider = `0x${'bb'.repeat(20)}` as const
  const place = { chainId: 1, orderId: '1', wallet: `0x${'aa'.repeat(20)}`, provider, link: 'https://gateway.example/' } as const
  const key = await makeWorkspaceKey(place as never, 'https://market.example', async () => '0x')
  const issuedAt = parseWorkspaceText(key?.grant ?? '')?.issuedAt ?? 0
  expect(issuedAt).toBe(deviceSeconds() - off)
})

it('is the only clock of the sdk for dates: elsewhere the device’s measures how long something takes', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const uses = sources.filter((name) => /Date\.now\(\)|new Date\(\)/.test(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')))
  expect(uses.sort()).toEqual(['chain/waitForReceipt.ts', 'serverClock.ts'])
})
