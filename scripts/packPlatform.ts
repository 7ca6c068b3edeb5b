import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, type Plugin } from 'vite'

/**
 * Writes a folder that a market runs from in containers: `deploy/containers` with the platform in it as one bundle, the web app, the
 * catalogue and the Node that all of it was tried with. It needs nothing of the checkout any more.
 */
const USAGE = `Usage: node scripts/packPlatform.ts --web FOLDER --to FOLDER

Packs the platform and the built web app for compose.yaml. Settings and secrets that are in the folder stay as they are.`

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'apps/platform/src')
const { values } = parseArgs({ options: { web: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean' } } })
if (values.web === undefined || values.to === undefined || values.help) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}
if (!existsSync(join(values.web, 'index.html'))) {
  console.error(`${values.web} holds no web app: build it first, as the guide for operators says.`)
  process.exit(1)
}
const to = resolve(values.to)
mkdirSync(to, { recursive: true })
cpSync(join(root, 'deploy/containers'), to, { recursive: true })
const app = join(to, 'platform/app')
await bundle(join(app, 'dist'))
cpSync(join(source, 'http/reference'), join(app, 'dist/reference'), { recursive: true })
cpSync(join(root, 'presets'), join(app, 'presets'), { recursive: true })
cpSync(resolve(values.web), join(app, 'web'), { recursive: true })
cpSync(process.execPath, join(app, 'node'), { dereference: true })
chmodSync(join(app, 'node'), 0o755)
for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(app, file))
console.log(to)

/** The program and its two threads, which are files of their own. */
async function bundle(outDir: string): Promise<void> {
  await build({
    ...{ root: dirname(source), configFile: false, logLevel: 'warn', plugins: [besideEachOther()] },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ...{ ssr: true, outDir, emptyOutDir: true, target: 'node24', minify: false },
      license: { fileName: 'licenses.txt' },
      rolldownOptions: {
        input: {
          main: join(source, 'main.ts'),
          'indexer-worker': join(source, 'indexer/worker.ts'),
          'pages-worker': join(source, 'pages/worker.ts'),
        },
        // Faster ways of libraries that do without them.
        external: ['pg-native', 'bufferutil', 'utf-8-validate', /\.node$/],
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          banner: 'const __dirname = import.meta.dirname;',
        },
      },
    },
  })
}

/** In the bundle all files lie in one folder: what the sources call by its place has a name there. */
function besideEachOther(): Plugin {
  return {
    name: 'beside-each-other',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(source)) return undefined
      return code
        .replace(`new URL('./worker.ts', import.meta.url)`, `new URL('./${basename(dirname(id))}-worker.mjs', import.meta.url)`)
        .replace(`new URL('../reference/', import.meta.url)`, `new URL('./reference/', import.meta.url)`)
    },
  }
}
