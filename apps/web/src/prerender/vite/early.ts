import { join } from 'node:path'
import { build } from 'vite'

/** On a slow connection the page is first painted once all of it has arrived: a late part would shift the content. */
export const AT_ONCE = '<link rel="expect" blocking="render" href="#after-app">'

/** The script that keeps a prerendered page live until the first interaction, in a file of its own. */
export async function buildEarly(): Promise<{ fileName: string; source: string }> {
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, '../../..'),
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: { input: 'src/prerender/early/early.ts', output: { entryFileNames: 'assets/early-[hash].js' } },
    },
  })
  const [output] = [built].flat()
  const [chunk, ...others] = output && 'output' in output ? output.output : []
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('src/prerender/early is not one file')
  return { fileName: chunk.fileName, source: chunk.code }
}

/**
 * A page complete with its data: src/prerender/early loads the app when it is needed, and with it what a pressed link leads to, `next`.
 */
export function withEarly(html: string, early: string, files: readonly string[], next: readonly string[]): string {
  const PROGRAM = /[ \t]*<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>\n?/g
  const programs = [...html.matchAll(PROGRAM)].flatMap(([, file]) => file ?? [])
  const last = programs.at(-1)
  if (!last) throw new Error('index.html names no program')
  const parts = [...new Set([...programs, ...files])].join(' ')
  const more = next.filter((file) => !programs.includes(file) && !files.includes(file)).join(' ')
  const script = `<script type="module" crossorigin src="${early}" data-app="${last}" data-parts="${parts}"${more && ` data-next="${more}"`}></script>`
  return html.replace(PROGRAM, '').replace('</head>', `${script}${AT_ONCE}</head>`)
}
