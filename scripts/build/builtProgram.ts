import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from './buildOnce.ts'
import { LIBRARIES } from './libraries.ts'
import { PROGRAMS, type ProgramName } from './programs.ts'
import { runNode } from './runNode.ts'

const ENTRY = 'main.mjs'
const SHARED = [...LIBRARIES, 'pnpm-lock.yaml', 'scripts/build/bundle.ts']
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const built = new Map<ProgramName, Promise<string>>()

/** The file of a program as users install it, built from the current sources if needed: the local market and the tests run it, too. */
export function builtProgram(name: ProgramName): Promise<string> {
  const known = built.get(name) ?? build(name)
  built.set(name, known)
  return known
}

async function build(name: ProgramName): Promise<string> {
  const { room, inputs } = PROGRAMS[name]
  const make = (folder: string) => runNode(root, ['scripts/build/bundle.ts', name, '--to', folder], `The ${name}`)
  const folder = await buildOnce(
    root,
    { name: `programs/${name}`, inputs: [`${room}/src`, ...inputs, ...SHARED], entry: ENTRY, make },
    () => {},
  )
  return join(folder, ENTRY)
}

if (import.meta.main) await Promise.all((Object.keys(PROGRAMS) as ProgramName[]).map(builtProgram))
