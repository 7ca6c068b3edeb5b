import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Beside } from '@rackfair/app-spec/import/Beside'
import type { Pasted, PastedKind } from '@rackfair/app-spec/import/Reading'
import { readPasted } from '@rackfair/app-spec/import/readPasted'

/**
 * Reads every file of the given folders as a user would paste it, and prints how many are accepted whole, and what stands in the way of the
 * others: `node bench/deploy/pastedFiles.ts [--list] FOLDER...`. A text file `*.commands` holds one command per paragraph. Compose files of
 * several services are counted apart; of other files that start more than one container only their number is printed. A second count gives
 * what a text asks for: the files that stand beside it, or else any text, a name for each image that is built, and a word for each variable.
 */
const wantsList = process.argv.includes('--list')
const folders = process.argv.slice(2).filter((one) => !one.startsWith('--'))
if (folders.length === 0) {
  console.error('Usage: node bench/deploy/pastedFiles.ts [--list] FOLDER...')
  process.exit(2)
}

interface Counts {
  several: number
  one: number
  accepted: number
  /** Once what it asks for is given; and of how many all of its files stand beside it. */
  answered: number
  beside: number
  reasons: Map<string, number>
  onlyReasons: Map<string, number>
  notes: Map<string, number>
}

function* filesIn(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) return yield path
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== '.git') yield* filesIn(join(path, entry.name))
    else if (entry.isFile() && /\.(?:ya?ml|commands)$/.test(entry.name)) yield join(path, entry.name)
}

const counts = new Map<PastedKind | 'compose of several', Counts>()
const add = (to: Map<string, number>, names: Iterable<string>) => {
  for (const name of new Set(names)) to.set(name, (to.get(name) ?? 0) + 1)
}
/** What a user would give to what a text asks for. */
function answers(file: string, { wanted }: Pasted): { beside: Beside; areThere: boolean } {
  let areThere = true
  const files: Record<string, string> = {}
  for (const { kind, name } of wanted) {
    if (kind === 'variable' || kind === 'image' || kind === 'folder') continue
    try {
      files[name] = readFileSync(join(dirname(file), name), 'utf8')
    } catch {
      areThere = false
      files[name] = 'A=1\n'
    }
  }
  const of = (wantedKind: string, value: string) =>
    Object.fromEntries(
      wanted.filter(({ kind, usual }) => kind === wantedKind && usual === undefined).map(({ name }) => [name, value]),
    )
  return { areThere, beside: { files, variables: of('variable', '1'), images: of('image', 'docker.io/me/app:1') } }
}

/** The last name in a field that is no number: `services.web.ports.0` is about ports. */
const reasonOf = ({ field, code }: Pasted['problems'][number]): string => {
  const setting = field.startsWith('-') ? field.split(' ')[0] : field.split('.').findLast((part) => !/^\d*$/.test(part))
  return `${code} ${setting ?? ''}`.trim()
}
const isSeveral = ({ problems }: Pasted): boolean =>
  problems.some(
    ({ code, field }) => code === 'one_service' && /^(?:services\.[^.]+|.*\.containers\.1|\w+ [\w.-]+|document \d+)$/.test(field),
  )

for (const file of folders.flatMap((folder) => [...filesIn(folder)])) {
  const text = readFileSync(file, 'utf8')
  const texts = file.endsWith('.commands') ? text.split(/\n\s*\n/).filter((one) => one.trim() !== '') : [text]
  for (const one of texts) {
    const read = readPasted(one)
    // Not a description of an application at all.
    if (read.kind === 'app' && !/^image:/m.test(one)) continue
    const kind = read.services ? 'compose of several' : read.kind
    const count = counts.get(kind) ?? {
      ...{
        several: 0,
        one: 0,
        accepted: 0,
        answered: 0,
        beside: 0,
        reasons: new Map(),
        onlyReasons: new Map(),
        notes: new Map(),
      },
    }
    counts.set(kind, count)
    if ((!read.services && isSeveral(read)) || (read.kind === 'kubernetes' && read.draft.image === undefined)) {
      count.several += 1
      continue
    }
    count.one += 1
    const isAccepted = read.spec !== undefined || read.application !== undefined
    if (isAccepted) count.accepted += 1
    const given = answers(file, read)
    const whole = readPasted(one, given.beside)
    const isAnswered = whole.spec !== undefined || whole.application !== undefined
    if (isAnswered) count.answered += 1
    if (isAnswered && given.areThere) count.beside += 1
    const reasons = new Set(whole.problems.map(reasonOf))
    add(count.reasons, reasons)
    if (reasons.size === 1) add(count.onlyReasons, reasons)
    add(
      count.notes,
      read.notes.map(({ code }) => code),
    )
    if (wantsList && !isAnswered)
      console.log(file, whole.problems.map(({ line, field, code }) => `${line ?? '-'} ${field}: ${code}`).join(' | '))
  }
}

const sorted = (map: ReadonlyMap<string, number>) => [...map].sort(([, a], [, b]) => b - a)
for (const [kind, { several, one, accepted, answered, beside, reasons, onlyReasons, notes }] of counts) {
  console.log(`\n${kind}: ${accepted} of ${one} accepted; ${several} more start several containers or none`)
  console.log(
    `  ${answered} once what they ask for is given, ${beside} of them with the files that stand beside them; of the others:`,
  )
  for (const [reason, number] of sorted(reasons))
    console.log(`  ${String(number).padStart(4)} ${reason}, alone in ${onlyReasons.get(reason) ?? 0}`)
  console.log(
    `  notes: ${sorted(notes)
      .map(([note, number]) => `${note} ${number}`)
      .join(', ')}`,
  )
}
