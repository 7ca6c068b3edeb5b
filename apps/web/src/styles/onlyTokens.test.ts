// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { themeCss } from './themeCss.ts'
import { type ColorName, tokens } from './tokens.ts'

const source = fileURLToPath(new URL('..', import.meta.url))
const screens = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    /^(features|app|ui|wallet)\/.*\.tsx?$/.test(file) && !file.includes('.test.') && !file.endsWith('wallets/catalogue.ts'),
)

describe('design tokens only', () => {
  it('finds the screens', () => expect(screens.length).toBeGreaterThan(50))

  it.each(screens)('%s contains no colour, pixel size or arbitrary value', (file) => {
    const text = readFileSync(source + file, 'utf8')
    expect(text.match(/#[0-9a-fA-F]{3,8}\b(?=['"`;\s])/g) ?? []).toEqual([])
    expect(text.match(/\b\d+(?:\.\d+)?(?:px|rem)\b/g) ?? []).toEqual([])
    const steps = [
      ...text.matchAll(
        /(?<=[\s"'`:])-?(?:p|px|py|pt|pr|pb|pl|m|mx|my|mt|mr|mb|ml|gap|gap-x|gap-y|size|w|h|min-w|min-h|max-w|max-h|top|right|bottom|left|inset)-(\d+(?:\.\d+)?)(?=[\s"'`])/g,
      ),
    ]
    expect(
      steps.filter((step) => !(tokens.spacing as readonly number[]).includes(Number(step[1]))).map((step) => step[0]),
    ).toEqual([])
    expect(text.match(/(?:^|[\s"'`])[a-z:-]+-\[[^\]\s]+\]/gm) ?? []).toEqual([])
  })

  it.each(readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.css') && file !== 'theme.css'))(
    '%s contains no colour, no duration, and no pixels except for lines',
    (file) => {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8')
      expect(text.match(/#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/g) ?? []).toEqual([])
      expect(text.match(/\b\d*\.?\d+m?s\b/g)?.filter((duration) => duration !== '0s') ?? []).toEqual([])
      expect((text.match(/\b\d*\.?\d+px\b/g) ?? []).filter((size) => Number.parseFloat(size) > 2)).toEqual([])
    },
  )

  it('generates theme.css from tokens.ts', () => {
    expect(readFileSync(new URL('./theme.css', import.meta.url), 'utf8')).toBe(themeCss())
  })
})

const PAIRS: readonly [ColorName, readonly ColorName[]][] = [
  ['ink', ['paper', 'raised', 'sunk']],
  ['ink-2', ['paper', 'raised', 'sunk', 'off-soft']],
  ['ink-3', ['paper', 'raised', 'sunk']],
  ['accent', ['paper', 'raised', 'accent-soft']],
  ['accent-ink', ['accent', 'accent-2']],
  ['idle', ['paper', 'raised', 'idle-soft']],
  ['run', ['paper', 'raised', 'run-soft']],
  ['warn', ['paper', 'raised', 'warn-soft']],
  ['bad', ['paper', 'raised', 'bad-soft']],
  ['off', ['paper', 'raised']],
  ['ink', ['accent-soft', 'bad-soft', 'idle-soft', 'warn-soft']],
  ['ink-2', ['bad-soft', 'idle-soft', 'warn-soft', 'accent-soft']],
]

describe.each(['light', 'dark'] as const)('contrast in the %s theme', (scheme) => {
  const cases = PAIRS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const))
  it.each(cases)('%s on %s is at least 4.5', (text, ground) => {
    expect(contrast(tokens.colors[scheme][text], tokens.colors[scheme][ground])).toBeGreaterThanOrEqual(4.5)
  })
  it.each(['paper', 'raised'] as const)('the border of a control on %s is at least 3', (ground) => {
    expect(contrast(tokens.colors[scheme].edge, tokens.colors[scheme][ground])).toBeGreaterThanOrEqual(3)
  })
})

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
