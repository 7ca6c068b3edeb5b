import { parseAst } from 'vite'

export interface LongFunction {
  name: string
  /** Its first line in the source. */
  line: number
  lines: number
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** The functions of a source that span more than `limit` lines, with whatever is in them: closures, JSX, comments and blank lines. */
export function longFunctions(source: string, limit: number, lang: 'ts' | 'tsx' = 'ts'): LongFunction[] {
  const found: LongFunction[] = []
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const visit = (node: Node, name: string) => {
    if (FUNCTIONS.has(node.type)) {
      const line = lineOf(node.start)
      const lines = lineOf(node.end) - line + 1
      if (lines > limit) found.push({ name: nameOf(node.id) ?? name, line, lines })
    }
    const own = nameOf(node.id) ?? nameOf(node.key) ?? name
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child, own)
  }
  visit(parseAst(source, { lang }) as unknown as Node, 'function')
  return found
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const nameOf = (value: unknown): string | undefined => (isNode(value) && typeof value.name === 'string' ? value.name : undefined)
