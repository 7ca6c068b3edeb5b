import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './build/bundle.ts'

/**
 * Builds the packages that others install into JavaScript with types, and packs them: `node scripts/pack.ts --to FOLDER`. In the workspace
 * they are TypeScript that Node runs directly; the packages are built in a separate folder, so nothing in the checkout changes.
 */
const LIBRARIES = [
  { room: 'contracts', source: 'ts' },
  { room: 'packages/app-spec', source: 'src' },
  { room: 'packages/rules', source: 'src' },
  { room: 'packages/protocol', source: 'src' },
  { room: 'packages/hardware', source: 'src' },
  { room: 'packages/sealed', source: 'src' },
  { room: 'packages/sdk', source: 'src' },
]
const PROGRAMS = [
  { room: 'packages/cli', program: 'cli', command: 'rackfair' },
  { room: 'packages/mcp', program: 'mcp', command: 'rackfair-mcp' },
  { room: 'packages/x402', program: 'x402', command: 'rackfair-x402' },
] as const

/** Packages with a scope are private unless they say otherwise. */
const PUBLIC = { access: 'public' }

interface Manifest {
  name: string
  version: string
  exports?: Record<string, string>
  /** Files by name and condition. */
  imports?: Record<string, Record<string, string>>
  dependencies?: Record<string, string>
  [field: string]: unknown
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean' } } })
const { to } = values
if (to === undefined) {
  console.log(
    'Usage: node scripts/pack.ts --to FOLDER\n\nPacks contracts, app-spec, rules, protocol, hardware, sealed, sdk, cli, mcp and x402, prints the files, and writes the folder of the GitHub action.',
  )
  process.exit(values.help ? 0 : 2)
}
mkdirSync(to, { recursive: true })
const versions = new Map(LIBRARIES.map(({ room }) => [manifestOf(room).name, manifestOf(room).version]))
for (const { room, source } of LIBRARIES) console.log(await packLibrary(room, source, resolve(to)))
await writeAction(join(resolve(to), 'action'))
for (const program of PROGRAMS) console.log(await packProgram(program, resolve(to)))

/** Emits JavaScript and types, file by file, with their imports from other packages. Returns the file. */
function packLibrary(room: string, source: string, folder: string): Promise<string> {
  return inStage((stage) => {
    compile(room, source, stage)
    return packStage(stage, room, published(manifestOf(room), source, importsOf(join(stage, 'dist'))), folder)
  })
}

/** Bundles a program with all of its dependencies: the command starts in a quarter of the time, and is a single package to install. */
async function packProgram({ room, program, command }: (typeof PROGRAMS)[number], folder: string): Promise<string> {
  const { name, version, description, license, type, engines } = manifestOf(room)
  const bin = { [command]: 'dist/main.mjs' }
  const published = { name, version, description, license, type, engines, bin, files: ['dist'], publishConfig: PUBLIC }
  return inStage(async (stage) => {
    await bundle(program, join(stage, 'dist'))
    return packStage(stage, room, published, folder)
  })
}

/** The folder that a workflow names with `uses`. */
async function writeAction(folder: string): Promise<void> {
  await bundle('action', join(folder, 'dist'))
  for (const file of ['packages/action/action.yml', 'packages/action/README.md', 'LICENSE'])
    cpSync(join(root, file), join(folder, file.split('/').at(-1) ?? ''))
}

async function inStage(pack: (stage: string) => string | Promise<string>): Promise<string> {
  const stage = mkdtempSync(join(tmpdir(), 'rackfair-pack-'))
  try {
    return await pack(stage)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function packStage(stage: string, room: string, manifest: { name: string; version: string }, folder: string): string {
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of [join(room, 'README.md'), 'LICENSE'])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(stage, file.split('/').at(-1) ?? ''))
  run('pnpm', ['pack', '--pack-destination', folder], stage)
  return join(folder, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)
}

function compile(room: string, source: string, stage: string): void {
  const config = join(stage, 'tsconfig.json')
  const from = join(root, room)
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, outDir: join(stage, 'dist'), rootDir: join(from, source), target: 'ES2022' },
    ...{
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      typeRoots: [join(root, 'node_modules/@types')],
    },
  }
  const include = [join(from, source)]
  const exclude = [join(from, source, '**/*.test.ts'), join(from, source, '**/testing')]
  writeFileSync(config, JSON.stringify({ extends: join(from, 'tsconfig.json'), compilerOptions, include, exclude }))
  run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config], root)
  rmSync(config)
}

/** The manifest of a package as packed: built files in place of sources, and only the dependencies that it imports. */
function published(manifest: Manifest, source: string, imported: ReadonlySet<string>) {
  const { private: _, scripts: __, devDependencies: ___, exports, imports, dependencies = {}, ...rest } = manifest
  const built = (file: string, extension: string) => file.replace(`./${source}/`, './dist/').replace(/\.ts$/, extension)
  const own = Object.entries(exports ?? {}).filter(([, file]) => file.startsWith(`./${source}/`))
  // TypeScript's older resolution, node10, knows no exports.
  const types = Object.fromEntries(
    own.filter(([name]) => name !== '.').map(([name, file]) => [name.replace('./', ''), [built(file, '.d.ts')]]),
  )
  const main = exports?.['.']
  const needed = Object.entries(dependencies).filter(([name]) => imported.has(name))
  return {
    ...rest,
    ...(main ? { main: built(main, '.js'), types: built(main, '.d.ts') } : {}),
    ...(exports ? { typesVersions: { '*': types } } : {}),
    ...(exports
      ? {
          exports: Object.fromEntries(
            own.map(([name, file]) => [name, { types: built(file, '.d.ts'), default: built(file, '.js') }]),
          ),
        }
      : {}),
    ...(imports
      ? {
          imports: Object.fromEntries(
            Object.entries(imports).map(([name, ways]) => [
              name,
              Object.fromEntries(Object.entries(ways).map(([condition, file]) => [condition, built(file, '.js')])),
            ]),
          ),
        }
      : {}),
    files: ['dist'],
    publishConfig: PUBLIC,
    dependencies: Object.fromEntries(needed.map(([name, version]) => [name, versions.get(name) ?? version])),
  }
}

function importsOf(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|d\.ts)$/.test(file))
  const found = files.flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import)\s*\(?['"]((?:@[\w.-]+\/)?[\w.-]+)/g),
  ])
  return new Set(found.map((match) => match[1] ?? ''))
}

function manifestOf(room: string): Manifest {
  return JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Manifest
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}
