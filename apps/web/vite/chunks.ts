import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { filesOf } from './filesOf.ts'
import { importArrived } from './importArrived.ts'
import { withoutNodeCrypto } from './withoutNodeCrypto.ts'

const ROUTES = '/src/app/routes/'
const WALLET = '/src/wallet/session/index.ts'
/** Screens that a connected wallet leads to. */
const SIGNED_IN = ['OrderInfo', 'AddOrder', 'ExtendOrder', 'ProviderInfo', 'MySpace', 'Deploy', 'AddProvider', 'Console']
/** A module needed by this many of them is loaded with the first. */
const MIN_SHARED = 3
/** Modules of a single screen. */
const OF_SCREENS = /\/src\/(features|app\/routes)\//

/**
 * Bundles modules that are needed together: a phone fetches few files faster than many, they compress better, and each costs a browser up
 * to three requests. A build with default splitting tells which modules each screen needs, after tree shaking. No public screen loads what
 * it does not need.
 */
export function chunks(): Plugin {
  return {
    name: 'chunks',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    async config() {
      const bundle = await splitByItself()
      const needs = (module: string) => new Set(filesOf(bundle, module).flatMap(({ moduleIds }) => moduleIds))
      const screen = (name: string) => needs(`${ROUTES}${name}.tsx`)
      const [main, wallet] = [needs('/index.html'), needs(WALLET)]
      const [home, status, list, detail] = [screen('Home'), screen('Status'), screen('NodeList'), screen('ProviderDetail')]
      const [machine, purchase] = [screen('Machine'), screen('AddOrder')]
      const signedIn = SIGNED_IN.map(screen)
      const count = (sets: readonly ReadonlySet<string>[], id: string) => sets.filter((set) => set.has(id)).length
      // A file requested by name keeps its name.
      const isShared = (id: string) => !id.includes(ROUTES) && !id.endsWith(WALLET)
      const isLate = (id: string) => count([home, status, list, wallet], id) === 0
      const tests: Record<string, (id: string) => boolean> = {
        frame: (id) => main.has(id) || (home.has(id) && !OF_SCREENS.test(id)),
        public: (id) => isShared(id) && count([home, status, list, wallet], id) > 1,
        list: (id) => isShared(id) && list.has(id),
        wallet: (id) => isShared(id) && wallet.has(id) && !detail.has(id),
        account: (id) => isShared(id) && count([home, status, detail], id) === 0 && count(signedIn, id) >= MIN_SHARED,
        parts: (id) => isShared(id) && status.has(id) && purchase.has(id),
        trust: (id) => isShared(id) && isLate(id) && detail.has(id) && count([machine, purchase], id) > 0,
        purchase: (id) => isShared(id) && isLate(id) && purchase.has(id) && !detail.has(id),
      }
      const groups = Object.entries(tests).map(([name, test], index, all) => ({ name, test, priority: all.length - index }))
      return { build: { rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups } } } } }
    },
  }
}

async function splitByItself(): Promise<Rolldown.OutputBundle> {
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    logLevel: 'silent',
    plugins: [importArrived(), react(), withoutNodeCrypto()],
    build: { write: false, minify: false, target: 'es2022', assetsInlineLimit: 0, copyPublicDir: false },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('the build that splits by itself gave no files')
  return Object.fromEntries(output.output.map((file) => [file.fileName, file]))
}
