import { isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml'
import { APP_LIMITS, type AppProblem } from '../AppSpec.ts'
import type { Path } from './Reading.ts'

export interface YamlText {
  documents: unknown[]
  /** The line of a field of a document, from 1: that of its name, or of the nearest thing around it that is there. */
  lineOf: (path: Path, document?: number) => number | undefined
  problems: AppProblem[]
}

/** Reads yaml without anything that surprises: no anchors, no merges, no duplicate keys, plain types. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter()
  const none = { documents: [], lineOf: () => undefined }
  if (new TextEncoder().encode(text).length > APP_LIMITS.bytes) return { ...none, problems: [{ field: '', code: 'too_large' }] }
  const all = parseAllDocuments(text, {
    ...{ strict: true, uniqueKeys: true, merge: false, schema: 'core', prettyErrors: false, lineCounter: lines },
  })
  const documents = Array.isArray(all) ? all : []
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
    let found: Node | undefined = node as Node | undefined
    for (const part of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
        if (!pair) break
        found = pair.key as Node
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(part)]
        if (!node) break
        found = node as Node
      } else break
    }
    const start = found?.range?.[0]
    return start === undefined ? undefined : lines.linePos(start).line
  }
  return { documents: plain, lineOf, problems }
}
