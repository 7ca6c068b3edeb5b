import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
} from 'yaml'
import { APP_LIMITS, type AppProblem } from '../AppSpec.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { tooDeepAt, YAML_LIMITS } from './yamlDepth.ts'

export interface YamlText {
  /** Maps, lists, strings, null, and what is neither as `Plain`. */
  documents: unknown[]
  /** The line of a field in a document, from 1: that of its key, or of the nearest enclosing key present. */
  lineOf: (path: Path, document?: number) => number | undefined
  problems: AppProblem[]
}

/** What aliases may make of a text, in characters, and what a value takes beside those of its text. */
const MAX_EXPANDED = 8 * APP_LIMITS.bytes
const VALUE_SIZE = 8

/** Where the parts of a map or a list are written. */
interface Lines {
  own: number
  of: ReadonlyMap<string, number>
}

class Unreadable extends Error {
  readonly code: 'syntax' | 'too_large'
  readonly at: number

  constructor(code: 'syntax' | 'too_large', at: number) {
    super(code)
    this.code = code
    this.at = at
  }
}

/**
 * Parses YAML 1.2 with the merge keys of YAML 1.1, which compose files are written in. Aliases are expanded up to a limit; depth and number
 * of documents are limited before anything is parsed.
 */
export function readYaml(text: string): YamlText {
  const refused = (code: 'syntax' | 'too_large', line?: number): YamlText => ({
    documents: [],
    lineOf: () => undefined,
    problems: [{ field: '', code, ...(line === undefined ? {} : { line }) }],
  })
  if (new TextEncoder().encode(text).length > APP_LIMITS.bytes) return refused('too_large')
  const deep = tooDeepAt(text)
  if (deep !== undefined) return refused('too_large', deep)

  const counter = new LineCounter()
  const lineAt = (offset: number): number => counter.linePos(offset).line
  // Duplicate keys are found below, in less than quadratic time.
  const parsed: Document.Parsed[] = parseAllDocuments(text, {
    ...{ strict: true, uniqueKeys: false, merge: false, schema: 'core', prettyErrors: false, lineCounter: counter },
  })
  const problems: AppProblem[] = []
  const lines = new WeakMap<object, Lines>()
  const budget = { left: MAX_EXPANDED }
  const documents = parsed.map((document): unknown => {
    for (const error of [...document.errors, ...document.warnings].slice(0, 1))
      problems.push({ field: '', code: 'syntax', line: lineAt(error.pos[0]) })
    if (document.errors.length > 0) return undefined
    try {
      return plainValue(document, { lines, lineAt, budget })
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      problems.push({ field: '', code: error.code, line: lineAt(error.at) })
      return undefined
    }
  })
  const lineOf = (path: Path, index = 0): number | undefined => {
    let value = documents[index]
    const contents = parsed[index]?.contents
    let line = contents ? lineAt(contents.range[0]) : undefined
    for (const part of path) {
      const known = typeof value === 'object' && value !== null ? lines.get(value)?.of.get(String(part)) : undefined
      if (known === undefined) break
      line = known
      value = Object.getOwnPropertyDescriptor(value, String(part))?.value
    }
    return line
  }
  return { documents, lineOf, problems }
}

interface Context {
  lines: WeakMap<object, Lines>
  lineAt: (offset: number) => number
  budget: { left: number }
}

function plainValue(document: Document.Parsed, { lines, lineAt, budget }: Context): unknown {
  const targets = aliasTargets(document)
  const startOf = (node: Node): number => node.range?.[0] ?? 0

  /** The alias of which the present value is a part: what is too large is so because of it. */
  let outermost: Node | undefined

  const toPlain = (node: Node | null, depth: number): unknown => {
    if (!node) return null
    budget.left -= VALUE_SIZE
    if (budget.left < 0 || depth > YAML_LIMITS.depth) throw new Unreadable('too_large', startOf(outermost ?? node))
    if (isAlias(node)) {
      const target = targets.get(node)
      if (!target) throw new Unreadable('syntax', startOf(node))
      const within = outermost
      outermost ??= node
      const value = toPlain(target, depth + 1)
      outermost = within
      return value
    }
    if (isScalar(node)) {
      const written = node.source ?? String(node.value)
      budget.left -= written.length
      if (typeof node.value === 'string' || node.value === null) return node.value
      return new Plain(node.value, written)
    }
    const of = new Map<string, number>()
    const made = isMap(node)
      ? mapOf(node.items as Pair<Node, Node | null>[], of, depth)
      : listOf((node as { items: Node[] }).items, of, depth)
    lines.set(made, { own: lineAt(startOf(node)), of })
    return made
  }

  const listOf = (items: readonly Node[], of: Map<string, number>, depth: number): unknown[] =>
    items.map((item, index) => {
      of.set(String(index), lineAt(startOf(item)))
      return toPlain(item, depth + 1)
    })

  const mapOf = (pairs: readonly Pair<Node, Node | null>[], of: Map<string, number>, depth: number): Record<string, unknown> => {
    const entries = new Map<string, unknown>()
    const merged: Record<string, unknown>[] = []
    for (const { key, value } of pairs) {
      const named = isAlias(key) ? targets.get(key) : key
      if (!isScalar(named)) throw new Unreadable('syntax', startOf(key))
      const isMerge = named.value === '<<' && named.type === 'PLAIN'
      const name = String(named.source ?? named.value)
      if (entries.has(name) || (isMerge && merged.length > 0)) throw new Unreadable('syntax', startOf(key))
      const inner = toPlain(value, depth + 1)
      if (!isMerge) {
        entries.set(name, inner)
        of.set(name, lineAt(startOf(key)))
        continue
      }
      for (const one of Array.isArray(inner) ? inner : [inner]) {
        if (typeof one !== 'object' || one === null || Array.isArray(one) || one instanceof Plain)
          throw new Unreadable('syntax', startOf(key))
        merged.push(one as Record<string, unknown>)
      }
    }
    // What stands in the map itself wins, then the first of the merged maps.
    for (const from of merged)
      for (const [name, value] of Object.entries(from)) {
        if (entries.has(name)) continue
        entries.set(name, value)
        of.set(name, lines.get(from)?.of.get(name) ?? 0)
      }
    return Object.fromEntries(entries)
  }
  return toPlain(document.contents, 0)
}

/** What each alias stands for: the last node before it that has its anchor. */
function aliasTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node as Node)
        return
      }
      const target = anchors.get(node.source)
      if (target) targets.set(node, target)
    },
  })
  return targets
}
