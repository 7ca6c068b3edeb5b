import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allSteps } from '../../../scripts/test/steps.ts'
import { ROOT } from './readGuide.ts'

const FOLDER = join(ROOT, 'docs/guides')

/** The test that runs the commands of a guide as they stand; it reads them from there. */
const GUIDES: Record<string, readonly string[]> = {
  api: ['apps/docs/src/examples.test.ts'],
  cli: ['packages/cli/src/story.test.ts'],
  developers: ['apps/docs/src/examples.test.ts', 'packages/cli/src/story.test.ts'],
  edges: ['apps/edge/src/program.test.ts'],
  monitors: ['apps/agent/src/guide.test.ts'],
  operators: ['apps/agent/src/guide.test.ts', 'apps/agent/src/containers.test.ts', 'apps/docs/src/operators.test.ts'],
  providers: ['apps/agent/src/guide.test.ts', 'apps/agent/src/agentContainer.test.ts', 'apps/agent/src/testing/agentPod.ts'],
}

/** What no test runs as it stands, by how it begins. */
const NOT_RUN: readonly (readonly [command: string, reason: string])[] = [
  [
    'npm start',
    'takes the ports and the folder that people use; apps/market/src/market.test.ts starts the same program with others',
  ],
  ['npm test', 'is what runs this test; the steps that it names are looked up'],
  ['npm run cluster', 'builds a cluster, 400 s of processor time; the tests use the one that it keeps'],
  [
    'npm run tool -- node packages/cli/src/main.ts search',
    'queries the market of npm start; packages/cli/src/story.test.ts runs it on another',
  ],
  ['npm run tool -- reliability', 'names an order of one market; packages/sdk/src/uptime verifies others'],
  ['node src/main.ts', 'abbreviates the guide for monitors'],
  [
    'curl http://127.0.0.1:3000/v1/nodes',
    'queries the market of npm start; apps/docs/src/examples.test.ts runs the same of the guide',
  ],
  ['node script/', 'is a step of npm test, or of its deep run'],
  ['pnpm exec vitest run', 'is a step of npm test'],
  ['node contracts/script/deploy.ts', 'needs a fresh chain at a fixed port; apps/agent/src/guide.test.ts deploys by the guide'],
  ['RACKFAIR_KEY=0x… RACKFAIR_PLATFORM=', 'serves until it is ended; packages/cli/src/story.test.ts starts the same program'],
  ['npm run tool -- node scripts/pack.ts --to packs', 'is run by packages/cli/src/story.test.ts, from the guide'],
]

test.each(readdirSync(join(FOLDER, 'en')))('documents the same commands and files in both languages: %s', (page) => {
  expect(blocksOf('zh', page)).toEqual(blocksOf('en', page))
})

test('every guide with commands has a test that reads and runs them', () => {
  for (const page of readdirSync(join(FOLDER, 'en'))) {
    const name = page.replace('.md', '')
    const commands = commandsIn(`docs/guides/en/${page}`).filter((line) => !whyNotRun(line))
    const tests = GUIDES[name] ?? []
    if (commands.length > 0) expect(tests, `${page}: ${commands[0]}`).not.toEqual([])
    for (const file of tests) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      expect(text.includes(`'${name}'`) || text.includes(page), `${file} reads ${page}`).toBe(true)
    }
  }
})

test('every row of the measurements names what prints it, and that is there', () => {
  const page = readFileSync(join(ROOT, 'docs/measurements.md'), 'utf8')
  const rows = page.split('\n## ')[0]?.match(/^\| (?!\|).*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(8)
  expect(rows.filter((row) => !/`npm run bench -- |`(time )?npm (start|test)`|\.(test|spec)\.ts`/.test(row))).toEqual([])
  const pages = ['README.md', 'docs/measurements.md', 'bench/README.md']
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join()
  const benches = [...pages.matchAll(/npm run bench -- ([\w/ ]+)/g)].flatMap(([, names = '']) => names.trim().split(/\s+/))
  const tests = [...page.matchAll(/`([\w/.-]+\.(?:test|spec)\.ts)`/g)].map(([, file = '']) => file)
  const files = [...benches.filter((name) => name.includes('/')).map((name) => `bench/${name}.bench.ts`), ...tests]
  expect(files.filter((file) => !existsSync(join(ROOT, file)) && file !== 'bench/room/name.bench.ts')).toEqual([])
})

describe('the commands of every README', () => {
  const pages = [
    'README.md',
    ...globSync('{apps,packages}/*/package.json', { cwd: ROOT }).map((file) => file.replace('package.json', 'README.md')),
    ...['contracts/README.md', 'scripts/README.md', 'bench/README.md', 'examples/README.md'],
    ...readdirSync(join(ROOT, 'docs')).flatMap((file) => (/\.md$/.test(file) ? [`docs/${file}`] : [])),
  ]
  const commands = pages.flatMap((page) => commandsIn(page).map((line) => ({ page, line })))

  test('name steps that there are', () => {
    const names = new Set(allSteps(ROOT, '', { deep: true, namespaces: true }).map(({ name }) => name))
    const named = commands.flatMap(({ line }) => /npm test -- --only ([\w,-]+)/.exec(line)?.[1]?.split(',') ?? [])
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })

  test.each(commands.filter(({ line }) => !whyNotRun(line)))('$page: $line', async ({ line }) => {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-commands-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(await shell(line.replace('/tmp/', `${folder}/`))).toMatchObject({ code: 0 })
  })

  test('are not run for a reason only where they are documented', () => {
    const all = [...commands.map(({ line }) => line), ...commandsIn('docs/guides/en/index.md')]
    for (const [command] of NOT_RUN)
      expect(
        all.some((line) => line.startsWith(command)),
        command,
      ).toBe(true)
  })
})

const whyNotRun = (line: string): string | undefined => NOT_RUN.find(([command]) => line.startsWith(command))?.[1]

function blocksOf(language: 'en' | 'zh', page: string): string[] {
  return readFileSync(join(FOLDER, language, page), 'utf8').match(/^```[\s\S]*?^```$/gm) ?? []
}

/** The command lines of a page: those of its code blocks for a shell, or without a language and no file or output. */
function commandsIn(page: string): string[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .flatMap(([, language = '', text = '']) => (['', 'sh'].includes(language) ? [text] : []))
    .filter((text) => !/^[{ ]/.test(text))
    .flatMap((text) => text.trim().split('\n'))
    .filter((line) => !line.startsWith('#'))
}

async function shell(line: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn('bash', ['-euc', line], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, printed }
}
