import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test as anyone, expect, onTestFinished, vi } from 'vitest'
import { runCommand } from '../foundation/runCommand.ts'
import { createImageStore } from '../runtime/engine/imageStore.ts'
import { loadCatalog, PRESETS_FOLDER } from './loadCatalog.ts'
import { prepareImages } from './prepareImages.ts'

const NGINX = 2
const LONG = { timeout: 120_000, interval: 20 }
const presets = loadCatalog()
/** As the agent runs: builds have mounts of their own. */
const test = anyone.skipIf(process.getuid?.() !== 0)

test('joins a build that runs in the background, and receives its output', async () => {
  const { images, imported, prepare, linesOf, said, folder } = setup()
  const background = prepare('nginx', 'no such application')
  await vi.waitFor(() => expect(linesOf('nginx')).toContain('extracting archives'), LONG)
  const heard: string[] = []
  const deploy = images.ensure(presets.get(NGINX)?.app as never, (line) => heard.push(line))
  await vi.waitFor(() => expect(heard).toEqual(['extracting archives']), LONG)
  writeFileSync(join(folder, 'go on'), '')
  expect(await deploy).toBe('f'.repeat(64))
  await background
  expect(readFileSync(join(folder, 'builds'), 'utf8').trim().split('\n')).toHaveLength(1)
  expect(imported).toHaveLength(1)
  expect(said).toEqual(['building an image in the background nginx', 'the image is ready for its first deploy nginx'])
})

test('imports an image ahead of its first deploy', async () => {
  const { imported, prepare, linesOf, folder } = setup()
  writeFileSync(join(folder, 'go on'), '')
  await prepare('nginx')
  expect(imported).toEqual(['localhost/rackfair/nginx'])
  expect(linesOf('nginx')).toContain('importing localhost/rackfair/nginx')
})

test('stops a build with the agent, without a partial image or an error', async () => {
  const { images, prepare, linesOf, said, folder } = setup()
  const background = prepare('nginx', 'ubuntu')
  await vi.waitFor(() => expect(linesOf('nginx')).toContain('extracting archives'), LONG)
  const building = async () => (await runCommand('pgrep', ['-f', join(folder, 'bin', 'mmdebstrap')])).stdout
  expect(await building()).not.toBe('')
  await images.stopBuilds()
  await background
  expect(await building()).toBe('')
  expect(readdirSync(join(folder, 'tars'))).toEqual([])
  expect(said.filter((line) => line.includes('could not'))).toEqual([])
  await expect(images.ensure(presets.get(NGINX)?.app as never)).rejects.toMatchObject({ code: 'agent_busy' })
})

test('reports an image that cannot be built, and continues with the next', async () => {
  const { prepare, linesOf, said, folder } = setup()
  writeFileSync(join(folder, 'fail'), '')
  await prepare('nginx', 'ubuntu')
  const failed = said.filter((line) => line.includes('could not be built ahead'))
  expect(failed).toHaveLength(2)
  expect(failed[0]).toContain('mmdebstrap ended with 25: E: no network')
  expect(linesOf('nginx')).toContain('E: no network')
})

/** An image store with a stand-in for mmdebstrap, which would fetch a hundred packages: it prints a line and waits for a file. */
function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-prepare-'))
  const path = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = path
    rmSync(folder, { recursive: true })
  })
  const program = join(folder, 'bin', 'mmdebstrap')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(
    program,
    `#!/bin/sh
echo $$ >> '${folder}/builds'
[ -e '${folder}/fail' ] && { echo 'E: no network' >&2; exit 25; }
for word; do case $word in *.tar) tar=$word;; esac; done
echo half > "$tar"
trap 'exit 1' TERM
echo 'I: extracting archives' >&2
until [ -e '${folder}/go on' ]; do sleep 0.05; done
`,
  )
  chmodSync(program, 0o755)
  process.env.PATH = `${join(folder, 'bin')}${delimiter}${path}`
  const said: string[] = []
  const say = (message: string, facts: Record<string, unknown> = {}) =>
    void said.push([message, facts.application, facts.reason].filter(Boolean).join(' '))
  const imported: string[] = []
  const images = createImageStore({
    ...{ docker: undefined as never, patient: undefined as never, presetsFolder: PRESETS_FOLDER },
    ...{ folder: join(folder, 'images'), tarFolder: join(folder, 'tars') },
    importTar: async (_key, _tar, name) => {
      imported.push(name)
      return 'f'.repeat(64)
    },
  })
  const logs = join(folder, 'logs')
  return {
    ...{ folder, images, imported, said },
    prepare: (...names: string[]) =>
      prepareImages({
        ...{ runtime: { images }, names, presets: [...presets.values()], folder: logs },
        log: { debug: say, info: say, warn: say, error: say },
      }),
    linesOf: (name: string) => (existsSync(join(logs, `${name}.log`)) ? readFileSync(join(logs, `${name}.log`), 'utf8') : ''),
  }
}
