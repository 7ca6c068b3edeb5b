import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { GPU_PRESETS } from '@rackfair/rules/presets'
import type { ModelPrice, RackSlot } from '@rackfair/sdk/http'
import { describe, expect, it } from 'vitest'
import { CELLS_HEIGHT, CELLS_WIDTH, cellPath, cellsOf } from './cellPath.ts'
import { cheapestIdle } from './cheapestIdle.ts'
import { listPrices, priceRows } from './priceRows.ts'
import { RACK_HEIGHT, RACK_WIDTH, rackGeometry } from './rackGeometry.ts'
import { rackPaths } from './rackPaths.ts'
import { rackShape } from './rackShape.ts'
import { SAMPLE_RACK } from './sampleRack.ts'

describe('the rack', () => {
  it.each([0, 1, 11, 12, 13, 24, 25, 208, 300, 1000])('has a position within the drawing for each of %s machines', (machines) => {
    const shape = rackShape(machines)
    expect(shape.cabinets * shape.slots).toBeGreaterThanOrEqual(machines)
    const geometry = rackGeometry(shape)
    for (let index = 0; index < machines; index += 1) {
      const box = geometry.slot(index)
      expect(box.x + box.width).toBeLessThanOrEqual(RACK_WIDTH + 0.01)
      expect(box.y + box.height).toBeLessThanOrEqual(RACK_HEIGHT + 0.01)
      expect(geometry.indexAt(box.x + box.width / 2, box.y + box.height / 2)).toBe(index)
    }
  })

  it('has no machine outside the drawing', () => {
    const geometry = rackGeometry(rackShape(10))
    expect(geometry.indexAt(-1, 5)).toBeUndefined()
    expect(geometry.indexAt(5, RACK_HEIGHT + 5)).toBeUndefined()
  })

  it('draws one lamp per machine in the colour and shape of its state: disc, square, ring', () => {
    const slot = (state: RackSlot['state']) => ({ ...(SAMPLE_RACK[0] as RackSlot), state })
    const shape = rackShape(3)
    const paths = rackPaths([slot('idle'), slot('idle'), slot('offline')], 12, rackGeometry(shape))
    const drawn = (path: string) => path.split('M').length - 1
    // A ring is a disc and its hole.
    expect([paths.lamps.idle, paths.lamps.running, paths.lamps.offline].map(drawn)).toEqual([2, 0, 2])
    expect(paths.sample).toBe('')
    expect(rackPaths([{ ...slot('idle'), sample: true }], 24, rackGeometry(shape)).sample).not.toBe('')
    const { running } = rackPaths([slot('running')], 24, rackGeometry(shape)).lamps
    expect([drawn(running), running.includes('h'), running.includes('a')]).toEqual([1, true, false])
    expect([paths.taken, paths.offline, paths.empty].map(drawn)).toEqual([2, 1, 9])
  })

  it('has a sample of 300 machines, 100 of them running', () => {
    expect(SAMPLE_RACK).toHaveLength(300)
    expect(SAMPLE_RACK.filter((slot) => slot.state === 'running')).toHaveLength(100)
  })
})

const usd = (amount: number) => BigInt(amount) * ONE_CREDIT_WEI
const prices: readonly ModelPrice[] = [
  { kind: 'cpu', model: 'EPYC 7402', nodes: 9, minUnitWei: usd(10), medianUnitWei: usd(12), cheapestIdleWei: usd(36) },
  { kind: 'gpu', model: 'rtx 4090', nodes: 2, minUnitWei: usd(120), medianUnitWei: usd(130), cheapestIdleWei: usd(318) },
  { kind: 'gpu', model: 'H100', nodes: 5, minUnitWei: usd(900), medianUnitWei: usd(950), cheapestIdleWei: null },
  { kind: 'gpu', model: 'RTX 3080', nodes: 1, minUnitWei: usd(55), medianUnitWei: usd(55), cheapestIdleWei: usd(72) },
]

describe('the price table', () => {
  it('lists what is offered first and compares it with the preset', () => {
    const rows = priceRows('gpu', prices)
    expect(rows.slice(0, 3).map((row) => row.model)).toEqual(['H100', 'rtx 4090', 'RTX 3080'])
    expect(rows[1]).toMatchObject({ machines: 2, listWei: 133n * ONE_CREDIT_WEI })
    expect(rows[0]?.listWei).toBeUndefined()
  })
  it('lists every preset once, by its list price where nobody offers it', () => {
    const rows = priceRows('gpu', prices)
    const missing = listPrices('gpu', rows)
    expect(rows.length + missing.length).toBe(GPU_PRESETS.length + 1)
    expect(missing.find((one) => one.model === 'RTX 2060')).toEqual({ model: 'RTX 2060', listWei: 25n * ONE_CREDIT_WEI })
    expect(missing.map(({ model }) => model)).not.toContain('RTX 4090')
  })
  it('has list prices only without the platform', () => {
    expect(priceRows('gpu', undefined)).toEqual([])
    expect(listPrices('gpu', [])).toHaveLength(GPU_PRESETS.length)
  })
})

describe('the cheapest idle machine', () => {
  it('has a GPU if any does', () => expect(cheapestIdle(prices)).toEqual({ model: 'RTX 3080', perHourWei: ONE_CREDIT_WEI / 10n }))
  it('has none if none does', () => expect(cheapestIdle(prices.slice(0, 1))?.model).toBe('EPYC 7402'))
  it('is undefined when nothing is idle', () => expect(cheapestIdle([])).toBeUndefined())
})

describe('cells of a front', () => {
  it.each([
    [1, 1, 1],
    [11, 11, 1],
    [36, 36, 1],
    [37, 19, 2],
    [1500, 36, 42],
  ])('%s units take %s cells of %s', (count, cells, each) => expect(cellsOf(count)).toEqual({ cells, each }))

  it.each([0, 1, 2, 11, 33, 36, 64, 1500, 2 ** 20])('%s units fit the drawing in one row and in three', (count) => {
    for (const rows of [1, 3]) {
      const drawn = [...cellPath(count, rows).matchAll(/M(\S+) (\S+)h(\S+)v(\S+?)h/g)].map((cell) => cell.slice(1).map(Number))
      expect(drawn).toHaveLength(cellsOf(count).cells)
      for (const [x = 0, y = 0, width = 0, height = 0] of drawn) {
        expect(x + width).toBeLessThanOrEqual(CELLS_WIDTH + 1)
        expect(y + height).toBeLessThanOrEqual(CELLS_HEIGHT + 1)
      }
    }
  })
})
