import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const require = createRequire(import.meta.url)
const AXE = require.resolve('axe-core/axe.min.js')

interface Axe {
  configure(spec: { noHtml: boolean }): void
  run(context: unknown, options: object): Promise<{ violations: { id: string; nodes: { element: { outerHTML: string } }[] }[] }>
  commons: { color: { Color: { prototype: Color } } }
}
interface Color {
  r: number
  g: number
  b: number
  alpha: number
  parseString(text: string): Color
}
interface Inside {
  axe: Axe
  document: unknown
}

/**
 * What axe finds on a page in its current state, with all of its rules: each rule with the elements that violate it. None of our pages has
 * frames.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    // The source that `axe-core` exports is more than twice as long, and each page compiles it anew.
    await page.evaluate(await readFile(AXE, 'utf8'))
    await page.evaluate(spareWork)
  }
  return page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as Inside
    // Only the rule about a locked orientation needs every style sheet read again, and none of ours uses the orientation.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false, elementRef: true })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ element }) => element.outerHTML.slice(0, 300)).join('\n')}`)
  })
}

/** Runs inside the page: spares axe from parsing the same few colors, and serializing every element, a thousand times over. */
function spareWork(): void {
  const { axe } = globalThis as unknown as Inside
  axe.configure({ noHtml: true })
  const { prototype } = axe.commons.color.Color
  const parse = prototype.parseString
  const known = new Map<string, Pick<Color, 'r' | 'g' | 'b' | 'alpha'>>()
  prototype.parseString = function (text) {
    const found = known.get(text)
    if (found) return Object.assign(this, found)
    const { r, g, b, alpha } = parse.call(this, text)
    known.set(text, { r, g, b, alpha })
    return this
  }
}
