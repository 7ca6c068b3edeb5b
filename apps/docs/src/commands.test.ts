import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './readGuide.ts'

const FOLDER = join(ROOT, 'docs/guides')

/** Those of one language are run: `apps/agent/src/guide.test.ts`, and here `operators.test.ts`, `nginx.test.ts` and `programs.test.ts`. */
test.each(readdirSync(join(FOLDER, 'en')))('documents the same commands and files in both languages: %s', (page) => {
  expect(blocksOf('zh', page)).toEqual(blocksOf('en', page))
})

function blocksOf(language: 'en' | 'zh', page: string): string[] {
  return readFileSync(join(FOLDER, language, page), 'utf8').match(/^```[\s\S]*?^```$/gm) ?? []
}
