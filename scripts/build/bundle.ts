import { cpSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, type Plugin } from 'vite'
import { PROGRAMS, type ProgramName } from './programs.ts'

interface Recipe {
  /** Optional native parts of libraries, which work without them. */
  external?: readonly string[]
  target?: string
  minify?: boolean
  /** Copies the files that the program reads next to it. */
  addResources?: (folder: string) => void
}

const RECIPES: Record<ProgramName, Recipe> = {
  agent: { external: ['cpu-features'], addResources: addAgentResources },
  platform: {
    external: ['pg-native', 'bufferutil', 'utf-8-validate'],
    addResources(folder) {
      cpSync(join(root, 'presets'), join(folder, 'presets'), { recursive: true })
      cpSync(join(root, 'apps/platform/src/http/reference'), join(folder, 'reference'), { recursive: true })
    },
  },
  // Three monitors run on a machine that sells its resources: minified source takes less memory.
  monitor: { minify: true },
  edge: { minify: true },
  cli: { target: 'node22' },
  action: { target: 'node24' },
  // One runs beside each assistant all day.
  mcp: { target: 'node22', minify: true },
  x402: { target: 'node22', minify: true },
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Bundles a program into `folder`, which is emptied first: `main.mjs` and its resources, which need nothing but Node. Without types and
 * unused code, with the licences of what it contains. Loaded module by module, a program takes three times as long to start and 40 MB more
 * memory.
 */
export async function bundle(name: ProgramName, folder: string): Promise<void> {
  const { external = [], target = 'node24', minify = false, addResources } = RECIPES[name]
  await build({
    ...{ root: join(root, PROGRAMS[name].room), configFile: false, logLevel: 'warn', plugins: [ownFiles()] },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ...{ ssr: 'src/main.ts', outDir: folder, emptyOutDir: true, target, minify },
      license: { fileName: 'licenses.txt' },
      rolldownOptions: {
        external: [...external, /\.node$/],
        output: {
          ...{ entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' },
          banner: 'const __dirname = import.meta.dirname;',
        },
      },
    },
  })
  addResources?.(join(folder, 'resources'))
}

/** Code that runs in a thread or a process of its own becomes a file next to the program, whatever folder its source is in. */
function ownFiles(): Plugin {
  const place = /new URL\('(\.\/\w+\.ts)', import\.meta\.url\)/g
  return {
    name: 'own-files',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('node_modules')) return undefined
      return code.replace(place, (_, file: string) => {
        const own = resolve(dirname(id), file)
        const chunk = this.emitFile({ type: 'chunk', id: own, name: `${basename(dirname(own))}-${basename(own, '.ts')}` })
        return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`
      })
    },
    // By default Vite would emit a URL for browsers.
    resolveFileUrl: ({ relativePath }) => `new URL('./${relativePath}', import.meta.url).href`,
  }
}

/** The catalogue, and the files of the gateway's own pages. */
function addAgentResources(folder: string): void {
  const room = join(root, 'apps/agent')
  cpSync(join(root, 'presets'), join(folder, 'presets'), { recursive: true })
  cpSync(join(room, 'src/doors/gateway/browser'), join(folder, 'browser'), { recursive: true })
  const library = (name: string) => createRequire(join(room, 'package.json')).resolve(name)
  for (const name of ['@xterm/xterm', '@xterm/addon-fit']) {
    const from = library(name).replace(/\/lib\/[^/]+$/, '')
    for (const part of ['lib', 'css'])
      if (existsSync(join(from, part)))
        cpSync(join(from, part), join(folder, 'browser', part), { recursive: true, filter: (file) => !file.endsWith('.map') })
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
  const [name] = positionals
  if (name === undefined || !(name in PROGRAMS) || values.to === undefined) {
    console.error(`Usage: node scripts/build/bundle.ts ${Object.keys(PROGRAMS).join('|')} --to FOLDER`)
    process.exit(2)
  }
  await bundle(name as ProgramName, resolve(values.to))
}
