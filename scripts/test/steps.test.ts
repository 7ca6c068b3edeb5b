import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { allSteps, ROOMS } from './steps.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const steps = allSteps(root, '/tmp', { deep: true, namespaces: true })
const withoutNamespaces = allSteps(root, '/tmp', { deep: true, namespaces: false })
const all = (namespaces = true) => (namespaces ? steps : withoutNamespaces)
const byName = (name: string) => all().find((step) => step.name === name)

it('names every step once, and depends on existing steps only', () => {
  const names = all().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { after = [], needs = [] } of [...all(), ...all(false)])
    for (const name of [...after, ...needs]) expect(names).toContain(name)
})

it('checks the types of every room, and runs the tests of each that has any', () => {
  for (const room of ROOMS)
    expect(
      all().some(({ command }) => command.at(-1) === room && command.at(-2) === '-p'),
      room,
    ).toBe(true)
  for (const room of ROOMS.filter((one) => existsSync(join(root, one, 'vitest.config.ts'))))
    expect(
      all().some(({ cwd, report }) => cwd === room && report?.kind === 'vitest'),
      room,
    ).toBe(true)
})

it('checks all types at once in a whole run', () =>
  expect(all().filter(({ name, onlyByName }) => name.startsWith('types') && !onlyByName)).toHaveLength(1))

it('uses every room that a room depends on as an input of its tests', () => {
  expect(byName('sdk')?.inputs).toEqual(expect.arrayContaining(['packages/sdk', 'packages/rules', 'contracts']))
  for (const { name, inputs = [] } of all())
    for (const input of inputs) expect(existsSync(join(root, input)), `${name}: ${input}`).toBe(true)
})

it('makes browsers wait for containers only if they share a network', () => {
  expect(all(true).find(({ name }) => name === 'pages')?.after).not.toContain('agent')
  expect(all(false).find(({ name }) => name === 'pages')?.after).toContain('agent')
  expect(all(true).find(({ name }) => name === 'agent')?.command[0]).toBe('unshare')
})

it('assigns every test file of the agent to one step', () => {
  const ofAgent = withoutNamespaces.filter(({ command }) => command.includes('--project=agent'))
  expect(ofAgent.length).toBeGreaterThan(2)
  for (const file of globSync('src/**/*.test.ts', { cwd: join(root, 'apps/agent') })) {
    const takers = ofAgent.filter(({ command }) => {
      const isExcluded = (argument: string, at: number) => command[at - 1] === '--exclude' && matchesGlob(file, argument)
      const chosen = command.filter((argument, at) => argument.startsWith('src/') && command[at - 1] !== '--exclude')
      return !command.some(isExcluded) && (chosen.length === 0 || chosen.some((path) => file.startsWith(path)))
    })
    expect(
      takers.map(({ name }) => name),
      file,
    ).toHaveLength(1)
  }
})

it('skips nothing in .ci/run that only developers may skip', () => {
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain('CI=true npm test')
})

it('requires a README and scripts for types and tests of every room', () => {
  const rooms = ROOMS.filter((room) => room !== 'scripts')
  for (const room of ROOMS) expect(existsSync(join(root, room, 'README.md')), `${room}/README.md`).toBe(true)
  for (const room of rooms) {
    const { scripts } = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    expect(scripts.types, room).toBe('tsc -p .')
    if (existsSync(join(root, room, 'vitest.config.ts'))) expect(scripts.test, room).toBe('vitest run')
  }
})
