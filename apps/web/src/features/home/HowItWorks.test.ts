import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { STEP_PICTURES } from './stepPictures.ts'

it('every step has a picture of its screen in both languages and themes', () => {
  const images = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'images')
  const missing = ['en', 'zh'].flatMap((locale) =>
    ['light', 'dark'].flatMap((theme) =>
      Object.values(STEP_PICTURES)
        .map((name) => join(images, locale, theme, `${name}.webp`))
        .filter((file) => !existsSync(file)),
    ),
  )
  expect(missing).toEqual([])
})
