import { join } from 'node:path'
import { build } from 'vite'

/** On a slow line the page is first painted when all of it has arrived: a part that comes later would move what is read. */
export const AT_ONCE = '<link rel="expect" blocking="render" href="#after-app">'

/** The script that keeps a drawn page live until somebody touches it, alone in its file. */
export async function buildEarly(): Promise<{ fileName: string; source: string }> {
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: { input: 'src/early/early.ts', output: { entryFileNames: 'assets/early-[hash].js' } },
    },
  })
  const [output] = [built].flat()
  const [chunk, ...others] = output && 'output' in output ? output.output : []
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('src/early is not one file')
  return { fileName: chunk.fileName, source: chunk.code }
}

/** A page that is complete with its answers: src/early brings the app when somebody wants it. */
export function withEarly(html: string, early: string, files: readonly string[]): string {
  const PROGRAM = /[ \t]*<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>\n?/g
  const programs = [...html.matchAll(PROGRAM)].flatMap(([, file]) => file ?? [])
  const last = programs.at(-1)
  if (!last) throw new Error('index.html names no program')
  const parts = [...new Set([...programs, ...files])].join(' ')
  const script = `<script type="module" crossorigin src="${early}" data-app="${last}" data-parts="${parts}"></script>`
  return html.replace(PROGRAM, '').replace('</head>', `${script}${AT_ONCE}</head>`)
}
