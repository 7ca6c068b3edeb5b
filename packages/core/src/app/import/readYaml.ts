import { type Document, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseAllDocuments } from 'yaml'
import { APP_LIMITS, type AppProblem } from '../AppSpec.ts'
import type { Path } from './Reading.ts'

export interface YamlText {
  documents: unknown[]
  /** The line of a field in a document, from 1: that of its key, or of the nearest enclosing key present. */
  lineOf: (path: Path, document?: number) => number | undefined
  problems: AppProblem[]
}

/** Parses a safe subset of YAML: no anchors, no merges, no duplicate keys, plain types. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter()
  const none = { documents: [], lineOf: () => undefined }
  if (new TextEncoder().encode(text).length > APP_LIMITS.bytes) return { ...none, problems: [{ field: '', code: 'too_large' }] }
  const documents: Document.Parsed[] = parseAllDocuments(text, {
    ...{ strict: true, uniqueKeys: true, merge: false, schema: 'core', prettyErrors: false, lineCounter: lines },
  })
  const problems: AppProblem[] = []
  const plain = documents.map((document): unknown => {
    for (const error of [...document.errors, ...document.warnings].slice(0, 1))
      problems.push({ field: '', code: 'syntax', line: lines.linePos(error.pos[0]).line })
    if (document.errors.length > 0) return undefined
    try {
      return document.toJS({ maxAliasCount: 0 })
    } catch {
      problems.push({ field: '', code: 'syntax' })
      return undefined
    }
  })
  const lineOf = (path: Path, index = 0): number | undefined => {
    let node: unknown = documents[index]?.contents
    let found = node as ParsedNode | undefined
    for (const part of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
        if (!pair) break
        found = pair.key as ParsedNode
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(part)]
        if (!node) break
        found = node as ParsedNode
      } else break
    }
    return found ? lines.linePos(found.range[0]).line : undefined
  }
  return { documents: plain, lineOf, problems }
}
