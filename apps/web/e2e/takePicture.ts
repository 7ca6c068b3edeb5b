import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { speak } from './speak.ts'

const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

/** Notices do not change with the language. */
const NO_NOTICES = '[popover] { visibility: hidden }'

/** The sizes in the README: a large window and a phone. */
const HEIGHTS = { 1280: 800, 1440: 900, 360: 780 } as const
type Width = keyof typeof HEIGHTS
export type Look = readonly [locale: 'en' | 'zh', theme: 'light' | 'dark', width: Width]

/** For a screen of the tour that docs/screens.md shows too. */
export const ALL_WIDTHS: readonly Width[] = [1280, 1440, 360]
/** For a screen that only docs/screens.md shows. */
export const WIDE_AND_PHONE: readonly Width[] = [1440, 360]

/** Screenshots for the tour in both languages and themes; only with RACKFAIR_SCREENSHOTS=1, so that tests stay fast. */
export async function takePicture(page: Page, name: string, widths: readonly Width[] = [1280]): Promise<void> {
  if (process.env.RACKFAIR_SCREENSHOTS !== '1') return
  const before = page.viewportSize()
  for (const locale of ['zh', 'en'] as const) {
    await speak(page, locale)
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.evaluate(() => document.fonts.ready)
      for (const width of widths) await takeOne(page, name, [locale, theme, width])
    }
  }
  if (before) await page.setViewportSize(before)
}

/** One screenshot of the page in its current language and theme. */
export async function takeOne(page: Page, name: string, [locale, theme, width]: Look): Promise<void> {
  if (process.env.RACKFAIR_SCREENSHOTS !== '1') return
  const folder = `${IMAGES}${locale}/${theme}`
  mkdirSync(folder, { recursive: true })
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const picture = await page.screenshot({ animations: 'disabled', style: NO_NOTICES })
  const [file, quality] = width === 1280 ? [name, 0.85] : [`${name}-${width}`, 0.6]
  writeFileSync(`${folder}/${file}.webp`, await toWebp(page, picture, quality))
}

/** The browser encodes it: a tenth of a PNG's size at the same sharpness. */
async function toWebp(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const bench = await page.context().newPage()
  const encoded = await bench.evaluate(
    async ([data, wanted]) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: wanted })).arrayBuffer())
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    [png.toString('base64'), quality] as const,
  )
  await bench.close()
  return Buffer.from(encoded, 'base64')
}
