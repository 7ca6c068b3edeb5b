import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { speak } from './speak.ts'

const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

/** They stay in the language in which they were said. */
const NO_NOTICES = '[popover] { visibility: hidden }'

/** A picture for the tour in both languages and themes; made when RACKFAIR_SCREENSHOTS is 1, so that tests stay fast. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.RACKFAIR_SCREENSHOTS !== '1') return
  for (const locale of ['zh', 'en'] as const) {
    await speak(page, locale)
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.evaluate(() => document.fonts.ready)
      const folder = `${IMAGES}${locale}/${theme}`
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        `${folder}/${name}.webp`,
        await toWebp(page, await page.screenshot({ animations: 'disabled', style: NO_NOTICES })),
      )
    }
  }
}

/** The browser knows the format; a tenth of a PNG's size at the same sharpness. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const bench = await page.context().newPage()
  const encoded = await bench.evaluate(async (data) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }, png.toString('base64'))
  await bench.close()
  return Buffer.from(encoded, 'base64')
}
