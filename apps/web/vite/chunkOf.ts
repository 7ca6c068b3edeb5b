import { join } from 'node:path'

type Graph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

const SOURCE = join(import.meta.dirname, '..', 'src')
const BARREL =
  /\/((packages\/\w+\/src|src\/wallet)\/index\.ts|lucide-react\.m?js|@tanstack\/(react-query|query-core)\/build\/modern\/index\.js)$/
const reached = new Map<string, ReadonlySet<string>>()

/**
 * Which file a module goes to. A phone fetches few files faster than many, and they compress better: what every page needs is one,
 * together with the parts that the home page draws; each screen and each thing loaded later keeps its own.
 */
export function chunkOf(id: string, graph: Graph): string | null {
  if (reachedFrom('main.tsx', graph).has(id)) return 'frame'
  return !/\/(features|routes)\//.test(id) && reachedFrom('app/routes/Home.tsx', graph).has(id) ? 'frame' : null
}

function reachedFrom(file: string, graph: Graph): ReadonlySet<string> {
  const known = reached.get(file)
  if (known) return known
  const all = new Set<string>()
  const waiting = [join(SOURCE, file)]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (all.has(id)) continue
    all.add(id)
    if (BARREL.test(id)) continue
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  reached.set(file, all)
  return all
}
