import { join } from 'node:path'
import type { Plugin, ResolveModulePreloadDependenciesFn } from 'vite'

/** The module of Vite by which the build wraps each `import()`, and the name that it exports. */
const HELPER = '\0vite/preload-helper.js'
const NAME = '__vitePreload'
const OURS = join(import.meta.dirname, '../src/lib/importArrived.ts')

/** Late code is fetched before it is imported, so that a browser does not keep the failure of a line that broke for a moment. */
export function importArrived(): Plugin {
  return {
    name: 'import-arrived',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: (id) => (id === HELPER ? `export { importArrived as ${NAME} } from ${JSON.stringify(OURS)}` : undefined),
    },
  }
}

/** Names an imported file too, which Vite leaves out where it imports nothing itself. */
export const withItself: ResolveModulePreloadDependenciesFn = (file, dependencies, { hostType }) =>
  hostType === 'js' ? [...new Set([file, ...dependencies])] : dependencies
