import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { filesOf } from '../../../vite/filesOf.ts'
import { PATHS } from '../../app/paths.ts'
import { AT_ONCE, buildEarly, withEarly } from './early.ts'

/** The prerendered pages, and the module of their screen. What stands for sale on one leads to the purchase. */
const PAGES = [
  { path: '/', file: 'index.html', screen: 'Home' },
  { path: '/home', file: 'home/index.html', screen: 'Home' },
  { path: '/status', file: 'status/index.html', screen: 'Status' },
  { path: '/nodelist', file: 'nodelist/index.html', screen: 'NodeList', next: 'AddOrder' },
  { path: '/search', file: 'search/index.html', screen: 'NodeList', next: 'AddOrder' },
] as const
const ROOT = '<div id="app"></div>'
/** For the platform, which serves no name that begins with a dot. */
const SERVER = '.server'

/**
 * Writes the public pages in their loading state, with the code they need in their head. `app.html` stays empty: it serves every other
 * address. `paths.json` lists the addresses that have a screen, so that the platform answers 404 for the others. `.server` holds what the
 * platform renders the same pages with, including their data.
 */
export function prerender(): Plugin {
  return {
    name: 'draw-ahead',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const shell = bundle['index.html']
      if (shell?.type !== 'asset') return
      const html = String(shell.source)
      if (!html.includes(ROOT) || !html.includes('id="after-app"'))
        throw new Error('index.html has no empty #app to draw into, or nothing after it')
      this.emitFile({ type: 'asset', fileName: 'app.html', source: html })
      const paths = Object.values(PATHS).filter((path) => path !== PATHS.design)
      this.emitFile({ type: 'asset', fileName: 'paths.json', source: JSON.stringify(paths) })
      const folder = await buildForServer()
      try {
        for (const file of readdirSync(folder))
          this.emitFile({ type: 'asset', fileName: `${SERVER}/${file}`, source: readFileSync(join(folder, file)) })
        const { renderPage } = (await import(
          pathToFileURL(join(folder, 'render.mjs')).href
        )) as typeof import('../renderPage.tsx')
        const early = await buildEarly()
        this.emitFile({ type: 'asset', ...early })
        const empty: Record<string, string> = {}
        const named = (screen: string) => filesOf(bundle, `/routes/${screen}.tsx`).map(({ fileName }) => `/${fileName}`)
        for (const { path, file, screen, ...page } of PAGES) {
          const files = named(screen)
          empty[path] = withEarly(html, `/${early.fileName}`, files, 'next' in page ? named(page.next) : [])
          const source = await renderPage({ path, locale: 'en', complete: false, html: withProgram(html, files) })
          if (file === 'index.html') shell.source = source
          else this.emitFile({ type: 'asset', fileName: file, source })
        }
        this.emitFile({ type: 'asset', fileName: `${SERVER}/pages.json`, source: JSON.stringify(empty) })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Builds the app for Node, in a folder that the caller removes. */
async function buildForServer(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'rackfair-draw-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, '../../..'),
    logLevel: 'error',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': JSON.stringify(process.env.NODE_ENV ?? 'production') },
    ssr: { noExternal: true },
    build: {
      ssr: 'src/prerender/renderPage.tsx',
      outDir,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: 'render.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  return outDir
}

/** A page without its data, which only the app can show. All text is already there, so style and fonts go first. */
function withProgram(html: string, files: readonly string[]): string {
  const links = files
    .filter((file) => !html.includes(`${file}"`))
    .map((file) => `<link rel="preload" as="script" fetchpriority="low" crossorigin href="${file}">`)
  return html
    .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
    .replace('</head>', `${AT_ONCE}${links.join('')}</head>`)
}
