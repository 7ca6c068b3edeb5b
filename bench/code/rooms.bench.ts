import { execFileSync } from 'node:child_process'
import { table } from '../platform/table.ts'

/**
 * Files, lines and exported names of each room's sources, as committed: TypeScript, Solidity and CSS, without tests and their helpers.
 * Peer: the same at the commit with which docs/codebase.md compares, or at that of `RACKFAIR_BEFORE`.
 */
const BEFORE = process.env.RACKFAIR_BEFORE ?? '6dd9da54'
const SOURCE = /^((?:apps|packages)\/[^/]+|bench|contracts|examples|scripts)\/.*\.(?:tsx?|sol|css)$/
const NO_SOURCE = /\.(?:test|spec)\.tsx?$|\/(?:e2e|testing|test)\/|\.(?:t\.sol|d\.ts)$|vitest\.config|playwright/

type Counts = [files: number, lines: number, exported: number]

/** How many lines match, by path. */
function matches(revision: string, pattern: string): Map<string, number> {
  const text = execFileSync('git', ['grep', '-c', '-E', '-e', pattern, revision, '--', ':/'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return new Map(text.split('\n').map((line) => [line.split(':')[1] ?? '', Number(line.split(':')[2])]))
}

function countAt(revision: string): Map<string, Counts> {
  const exported = matches(revision, '^export ')
  const rooms = new Map<string, Counts>()
  for (const [path, lines] of matches(revision, '^')) {
    const room = SOURCE.exec(path)?.[1]
    if (room === undefined || NO_SOURCE.test(path)) continue
    const own = [1, lines, exported.get(path) ?? 0]
    for (const name of [room, 'all'])
      rooms.set(name, (rooms.get(name) ?? [0, 0, 0]).map((count, index) => count + (own[index] ?? 0)) as Counts)
  }
  return rooms
}

const written = (counts: Counts | undefined) => counts?.map((count) => count.toLocaleString('en')).join(', ') ?? '–'
const [before, after] = [countAt(BEFORE), countAt('HEAD')]
const rooms = [...new Set([...before.keys(), ...after.keys()])].sort(
  (a, b) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1),
)
table(
  ['room: files, lines, exported names', BEFORE, 'HEAD'],
  rooms.map((room) => [room, written(before.get(room)), written(after.get(room))]),
)
