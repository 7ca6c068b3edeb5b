import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT, readGuide } from './readGuide.ts'
import { renderPage } from './renderPage.ts'
import { folderOf, LANGUAGES, PAGES } from './site.ts'

const ASSETS = {
  'instrument-sans.woff2': '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  'geist-mono.woff2': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
}

/** Writes the whole site below `outDir`: one folder with an index.html per page, the style sheet, the fonts, the logo. */
export function buildSite(outDir: string): void {
  for (const language of LANGUAGES) {
    const guides = PAGES.map((page) => readGuide(language, page))
    for (const guide of guides) {
      const folder = join(outDir, folderOf(language, guide.page))
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'index.html'), renderPage(guide, guides))
    }
  }
  const resolve = createRequire(import.meta.url).resolve
  for (const [name, source] of Object.entries(ASSETS)) copyFileSync(resolve(source), join(outDir, name))
  copyFileSync(join(ROOT, 'apps/web/public/logo.svg'), join(outDir, 'logo.svg'))
  writeFileSync(join(outDir, 'docs.css'), styleSheet())
}

/** In cascade order. */
const STYLES = ['base', 'frame', 'article', 'screens']

/** The web app's tokens, as plain CSS, before the rules of the site. */
function styleSheet(): string {
  const theme = readFileSync(join(ROOT, 'apps/web/src/styles/theme.css'), 'utf8')
  const tokens = theme.replace(/^\/\*.*\*\/\n/, '').replace('@theme static {\n  --*: initial;', ':root {')
  const rules = STYLES.map((name) => readFileSync(fileURLToPath(new URL(`./styles/${name}.css`, import.meta.url)), 'utf8'))
  return [tokens, ...rules].join('\n')
}
