import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOMS } from './steps.ts'

/**
 * Checks the types of all rooms: those with the same options are one program, which reads the libraries and the shared rooms only once.
 * `npm test -- --only types-ROOM` checks a single room.
 */
interface Config {
  compilerOptions?: Record<string, unknown>
  include: string[]
  exclude?: string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.rackfair/test/types')
mkdirSync(folder, { recursive: true })

const configs = ROOMS.map((room) => ({
  room,
  config: JSON.parse(readFileSync(join(root, room, 'tsconfig.json'), 'utf8')) as Config,
}))
const programs = Map.groupBy(configs, ({ config }) => JSON.stringify({ types: ['node'], ...config.compilerOptions }))
/** The least processor time: several checkers resolve the same types several times, and the compiler ends before collecting garbage pays. */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' }
let failed = false
for (const [options, rooms] of programs) {
  const project = rooms.length === 1 ? join(root, rooms[0]?.room ?? '') : writeProgram(JSON.parse(options) as object, rooms)
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--checkers', '1'], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${rooms.map(({ room }) => room).join(', ')}`)
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)

/** Returns the file. Excludes only what the room itself excludes. */
function writeProgram(options: object, rooms: typeof configs): string {
  const placed = (of: 'include' | 'exclude') =>
    rooms.flatMap(({ room, config }) => (config[of] ?? []).map((path) => join(root, room, path)))
  const file = join(folder, `${rooms[0]?.room.replace('/', '-')}.json`)
  const program = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { ...options, typeRoots: [join(root, 'node_modules/@types')] },
    include: placed('include'),
    exclude: [join(root, '**/node_modules'), ...placed('exclude')],
  }
  writeFileSync(file, JSON.stringify(program))
  return file
}
