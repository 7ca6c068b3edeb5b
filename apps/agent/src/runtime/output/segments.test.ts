import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { createOrderNotes } from '../../orders/orderNotes.ts'
import type { LogSource } from './LogSource.ts'
import { createSegmentSource, listSegments, segmentFile } from './segments.ts'

const TIME = '2026-11-22T13:07:30.123456789+00:00'

describe('segment files', () => {
  const root = mkdtempSync(join(tmpdir(), 'rackfair-segments-'))
  afterAll(() => rmSync(root, { recursive: true }))
  const folder = () => mkdtempSync(join(root, 'one-'))

  it('read from any line to the end, across partial lines and segments', async () => {
    const piece = fc.record({ text: fc.stringMatching(/^[a-z]{0,200}$/), pieces: fc.integer({ min: 1, max: 4 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(40)), fc.nat(50), async (lines, breaks, tail) => {
        const here = folder()
        let segment = 7
        writeFileSync(segmentFile(here, segment), '')
        for (const [index, { text, pieces }] of lines.entries()) {
          for (let at = 1; at < pieces; at += 1) appendFileSync(segmentFile(here, segment), `${TIME} stdout P -\n`)
          if (breaks.includes(index)) segment += 1
          appendFileSync(segmentFile(here, segment), `${TIME} stdout F ${text}\n`)
        }
        const source = createSegmentSource(here)
        const whole = lines.map(({ text, pieces }) => '-'.repeat(pieces - 1) + text)
        expect(await texts(source, undefined)).toEqual(whole)
        expect(await texts(source, tail)).toEqual(tail === 0 ? [] : whole.slice(-tail))
      }),
      { numRuns: 100 },
    )
  })

  it('skip segments that were deleted between listing and opening', async () => {
    const here = folder()
    for (const gone of [4, 5, 6]) symlinkSync('gone', segmentFile(here, gone))
    for (const segment of [3, 7]) writeFileSync(segmentFile(here, segment), `${TIME} stdout F ${segment}\n`)
    const source = createSegmentSource(here)
    expect(await texts(source, undefined)).toEqual(['3', '7'])
    const reader = source.open({ segment: 4, offset: 10 })
    expect((await reader.read()).map(({ bytes, gap }) => [String(bytes), gap])).toEqual([['7', true]])
    await reader.close()
  })

  it('read backwards over several chunks', async () => {
    const here = folder()
    const lines = Array.from({ length: 20_000 }, (_, index) => `${TIME} stdout F ${index}`)
    writeFileSync(segmentFile(here, 1), `${lines.join('\n')}\n`)
    for (const tail of [1, 4000, 4001, 19_999])
      expect(await texts(createSegmentSource(here), tail)).toEqual(lines.slice(-tail).map((one) => one.split(' ')[3]))
  })

  it('do not count an incomplete record', async () => {
    const here = folder()
    writeFileSync(segmentFile(here, 1), `${TIME} stdout F a\n${TIME} stdout F b\n${TIME} stdout F unfini`)
    expect(await texts(createSegmentSource(here), 1)).toEqual(['b'])
    expect(await texts(createSegmentSource(here), 2)).toEqual(['a', 'b'])
    writeFileSync(segmentFile(here, 2), `${TIME} stdout F c\n`)
    expect(await texts(createSegmentSource(here), 2)).toEqual(['b', 'c'])
  })

  it('skip invalid records, and report a missing segment', async () => {
    const here = folder()
    writeFileSync(segmentFile(here, 1), `nonsense\n${TIME} stdout F a\n${TIME} elsewhere F x\n${TIME} stdout F unfini`)
    writeFileSync(segmentFile(here, 2), `${TIME} stdout F b\n`)
    writeFileSync(segmentFile(here, 4), `2026-99-99T13:07:30Z stdout F x\n${TIME} stderr F c\n`)
    const reader = createSegmentSource(here).open({ segment: 0, offset: 0 })
    const lines = [...(await reader.read()), ...(await reader.read()), ...(await reader.read())]
    expect(lines.map((one) => [String(one.bytes), one.gap])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ])
    expect(lines[0]?.time).toBe(Date.parse('2026-11-22T13:07:30.123Z') * 1000 + 456)
    expect(await reader.read()).toEqual([])
    await reader.close()
  })

  it('hold the agent’s own lines in a ring, with repeated events stored once', async () => {
    const notes = createOrderNotes(root, { log: sayingLog(() => {}) })
    notes.add(1n, 'ended\nat once', 1_700_000_000_000)
    notes.add(1n, 'ended\nat once', 1_700_000_000_000)
    expect(await texts(notes.source(1n), undefined)).toEqual(['ended at once'])
    for (let count = 0; count < 600; count += 1) notes.add(1n, `${count} ${'x'.repeat(4000)}`)
    expect(listSegments(join(root, '1')).length).toBeLessThanOrEqual(4)
    expect((await texts(notes.source(1n), 1))[0]).toMatch(/^599 x/)
    notes.remove(1n)
    expect(await texts(notes.source(1n), undefined)).toEqual([])
  })
})

/** The whole lines in the last `tail` bytes. */
async function texts(source: LogSource, tail: number | undefined): Promise<string[]> {
  const reader = source.open(await source.before(tail))
  const whole: string[] = []
  let open = ''
  for (let lines = await reader.read(); lines.length > 0 || !reader.atEnd; lines = await reader.read())
    for (const one of lines) {
      open += String(one.bytes)
      if (one.more) continue
      whole.push(open)
      open = ''
    }
  await reader.close()
  return whole
}
