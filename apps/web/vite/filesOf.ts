import type { Rolldown } from 'vite'

/** The file of a module that the app loads, named by the end of its path, and the files it imports, in no particular order. */
export function filesOf(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
  const waiting = chunks.filter((chunk) => chunk.facadeModuleId?.endsWith(module))
  if (waiting.length === 0) throw new Error(`The build has no ${module}`)
  const files = new Set<Rolldown.OutputChunk>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const { imports } = file
    waiting.push(...chunks.filter((chunk) => imports.includes(chunk.fileName)))
  }
  return [...files]
}
