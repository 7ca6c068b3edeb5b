import { AppError } from '@rackfair/rules/errors/AppError'
import { checkNodeFields, type NodeFields, type NodeInput } from '@rackfair/rules/formRules'
import { MAX_NODES } from '@rackfair/rules/limits'
import { formatCredit, PRICE_DECIMALS, parseCredit } from '@rackfair/rules/money'
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml'
import { readCsv } from './readCsv.ts'

/** A node as a file names it. */
export interface WantedNode {
  line: number
  /** Identifies the same node when the file is imported again. */
  label: string
  input: NodeInput
}

/** The columns, named after the options of `node add`, with the form fields that validate them. */
const COLUMNS = {
  'cpu-model': 'cpuModel',
  cpus: 'nCPU',
  cores: 'core',
  'cpu-price': 'pCPU',
  'gpu-model': 'gpuModel',
  gpus: 'nGPU',
  'gpu-price': 'pGPU',
  memory: 'memGb',
  'memory-price': 'pMEM',
  disk: 'diskTb',
  'disk-price': 'pDISKPerTb',
} as const satisfies Record<string, keyof NodeFields>
type Column = keyof typeof COLUMNS

const MAX_FILE_CHARACTERS = 1_000_000
const MAX_PROBLEMS = 50
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

interface Entry {
  line: number
  values: ReadonlyMap<string, string>
}

/**
 * The nodes of a CSV (a line of column names, then a line for each node) or of a YAML (`nodes`, and `templates` that they may name).
 * @throws AppError `bad_request` that names every line that is wrong, so that nothing is sent of a file with a mistake.
 */
export function readNodeFile(text: string, kind: 'csv' | 'yaml'): WantedNode[] {
  if (text.length > MAX_FILE_CHARACTERS) throw refused([`the file has more than ${MAX_FILE_CHARACTERS} characters`])
  const problems: string[] = []
  const entries = kind === 'csv' ? entriesOfCsv(text, problems) : entriesOfYaml(text, problems)
  if (entries.length > MAX_NODES) problems.push(`${entries.length} nodes: a provider lists at most ${MAX_NODES}`)
  if (entries.length === 0 && problems.length === 0) problems.push('the file names no node')
  const seen = new Map<string, number>()
  const nodes = entries.slice(0, MAX_NODES).flatMap((entry): WantedNode[] => {
    const label = entry.values.get('label') ?? ''
    const say = (problem: string) => problems.push(`line ${entry.line}${LABEL.test(label) ? ` (${label})` : ''}: ${problem}`)
    if (!LABEL.test(label)) say('label: 1 to 63 letters, digits, dots, hyphens and underscores')
    const twin = seen.get(label)
    if (twin !== undefined) say(`label: line ${twin} has the same`)
    seen.set(label, entry.line)
    const input = inputOf(entry.values, say)
    return input ? [{ line: entry.line, label, input }] : []
  })
  if (problems.length > 0) throw refused(problems)
  return nodes
}

function refused(problems: readonly string[]): AppError {
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : []
  return new AppError('bad_request', ['nothing was sent', ...problems.slice(0, MAX_PROBLEMS), ...more].join('\n  '))
}

function entriesOfCsv(text: string, problems: string[]): Entry[] {
  let rows: ReturnType<typeof readCsv>
  try {
    rows = readCsv(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    problems.push((error as Error).message)
    return []
  }
  const [head, ...rest] = rows
  if (!head) return []
  for (const name of head.cells) if (name !== 'label' && !Object.hasOwn(COLUMNS, name)) problems.push(unknown(head.line, name))
  if (new Set(head.cells).size < head.cells.length) problems.push(`line ${head.line}: a column is there twice`)
  return rest.flatMap(({ line, cells }): Entry[] => {
    if (cells.length === head.cells.length)
      return [{ line, values: new Map(cells.map((cell, at) => [head.cells[at] as string, cell])) }]
    problems.push(`line ${line}: ${cells.length} cells, and the first line has ${head.cells.length}`)
    return []
  })
}

/** All scalars stay text: 0.10 is an amount, not a binary fraction. */
function entriesOfYaml(text: string, problems: string[]): Entry[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false })
  for (const { message, pos } of document.errors) problems.push(`line ${lines.linePos(pos[0]).line}: ${message}`)
  if (problems.length > 0) return []
  const lineOf = (node: { range?: readonly number[] | null | undefined }) => lines.linePos(node.range?.[0] ?? 0).line
  const root = document.contents
  if (!isMap(root)) {
    problems.push('line 1: a YAML of nodes begins with "nodes:"')
    return []
  }
  const valuesOf = (map: YAMLMap, allowed: (name: string) => boolean) => {
    const values = new Map<string, string>()
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '?'
      const line = isScalar(key) ? lineOf(key) : lineOf(map)
      if (!allowed(name)) problems.push(unknown(line, name))
      else if (!isScalar(value)) problems.push(`line ${line}: ${name}: one value is wanted`)
      else values.set(name, String(value.value ?? ''))
    }
    return values
  }
  for (const { key } of root.items)
    if (isScalar(key) && key.value !== 'nodes' && key.value !== 'templates')
      problems.push(unknown(lineOf(key), String(key.value)))
  const templates = new Map<string, ReadonlyMap<string, string>>()
  const listed = root.get('templates')
  if (listed !== undefined && !isMap(listed)) problems.push('templates: a name and its values are wanted')
  if (isMap(listed))
    for (const { key, value } of listed.items) {
      if (isScalar(key) && isMap(value))
        templates.set(
          String(key.value),
          valuesOf(value, (name) => Object.hasOwn(COLUMNS, name)),
        )
      else problems.push(`line ${isScalar(key) ? lineOf(key) : lineOf(listed)}: a template is a name with its values`)
    }
  const nodes = root.get('nodes')
  if (!isSeq(nodes)) {
    problems.push('nodes: a list is wanted')
    return []
  }
  return nodes.items.flatMap((item): Entry[] => {
    if (!isMap(item)) {
      problems.push(`line ${lineOf(item as { range?: readonly number[] })}: a node has a label and its values`)
      return []
    }
    const line = lineOf(item)
    const values = valuesOf(item, (name) => name === 'label' || name === 'template' || Object.hasOwn(COLUMNS, name))
    const template = values.get('template')
    if (template !== undefined && !templates.has(template)) problems.push(`line ${line}: there is no template ${template}`)
    return [{ line, values: new Map([...(templates.get(template ?? '') ?? []), ...values]) }]
  })
}

const unknown = (line: number, name: string) =>
  `line ${line}: ${name} is not known; known are label, template (YAML) and ${Object.keys(COLUMNS).join(', ')}`

/** Uses the same rules as the web form, which takes storage in TB. */
function inputOf(values: ReadonlyMap<string, string>, say: (problem: string) => void): NodeInput | undefined {
  const text = (column: Column) => values.get(column)?.trim() ?? ''
  const gigabytes = text('disk') || '0'
  const diskPrice = parseCredit(text('disk-price') || '0', PRICE_DECIMALS)
  const isWhole = /^\d{1,7}$/.test(gigabytes)
  if (!isWhole) say('disk: a whole number of GB')
  if (diskPrice === undefined) say(`disk-price: USD per GB and month, with at most ${PRICE_DECIMALS} decimals`)
  const fields = Object.fromEntries(
    (Object.keys(COLUMNS) as Column[]).map((column) => [COLUMNS[column], text(column)]),
  ) as unknown as NodeFields
  const checked = checkNodeFields({
    ...fields,
    diskTb: isWhole ? (Number(gigabytes) / 1000).toFixed(3) : '0',
    pDISKPerTb: formatCredit((diskPrice ?? 0n) * 1000n, { max: PRICE_DECIMALS - 3 }).replaceAll(',', ''),
  })
  if ('problems' in checked) {
    for (const [field, problem] of Object.entries(checked.problems)) {
      const column = (Object.keys(COLUMNS) as Column[]).find((name) => COLUMNS[name] === field)
      say(`${column}: ${problem.replaceAll('_', ' ')}`)
    }
    return undefined
  }
  return isWhole && diskPrice !== undefined ? checked.input : undefined
}
