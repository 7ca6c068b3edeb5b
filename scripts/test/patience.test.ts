import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ROOMS = '{apps/*,packages/*,contracts,examples,scripts}'
const exclude = (path: string) => /(^|\/)(node_modules|dist|\.rackfair)(\/|$)/.test(path)
const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8')

interface Node {
  type: string
  start: number
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The lines on which a source waits for as long as the library does by itself, which is one second. */
function impatientWaits(source: string, lang: 'ts' | 'tsx' = 'ts'): number[] {
  const found: number[] = []
  const visit = (node: Node) => {
    const { callee, arguments: given } = node as { callee?: Node; arguments?: unknown[] }
    if (node.type === 'CallExpression' && callee?.type === 'MemberExpression' && given?.length === 1) {
      const { object, property } = callee as unknown as { object: { name?: string }; property: { name?: string } }
      if (object.name === 'vi' && /^wait(For|Until)$/.test(property.name ?? ''))
        found.push(source.slice(0, node.start).split('\n').length)
    }
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child)
  }
  visit(parseAst(source, { lang }) as unknown as Node)
  return found
}

it('finds a wait without a limit of its own', () => {
  const source = "await vi.waitFor(() => one)\nawait vi.waitFor(() => one, LONG)\nawait vi.waitUntil(\n  () => 'vi.waitFor()')"
  expect(impatientWaits(source)).toEqual([1, 3])
})

it('waits long enough for a busy machine everywhere', () => {
  const files = globSync(`${ROOMS}/**/*.{ts,tsx}`, { cwd: root, exclude })
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) => {
    const source = sourceOf(file)
    if (!/vi\.wait/.test(source)) return []
    return impatientWaits(source, file.endsWith('x') ? 'tsx' : 'ts').map((line) => `${file}:${line}`)
  })
  expect(found).toEqual([])
})

it('polls for a minute at least in every room', () => {
  const files = globSync(`${ROOMS}/vitest.config.ts`, { cwd: root, exclude })
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const [, limit = '0'] = /poll: \{ timeout: ([\d_]+) \}/.exec(sourceOf(file)) ?? []
    expect([file, Number(limit.replaceAll('_', '')) >= 60_000]).toEqual([file, true])
  }
})
