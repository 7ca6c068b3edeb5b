import type { Ledger } from './Ledger.ts'

/**
 * Parses `docs/specification.md`: the table of ids (`point | rows | ids`), the tables of rows (`row | file | test | decision`, the id first
 * in code marks), and the table of departures (`id | departure | reason`).
 */
export function readLedger(markdown: string): Ledger {
  const ledger: Ledger = { points: [], rows: [], decisions: [], open: [] }
  let table = ''
  for (const line of markdown.split('\n')) {
    if (/^open:/.test(line)) ledger.open.push(line)
    if (!line.startsWith('|')) {
      table = ''
      continue
    }
    const cells = line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim())
    const [first = '', second = '', third = '', fourth = ''] = cells
    if (table === '') table = cells.join(' | ')
    else if (/^:?-+:?$/.test(first)) continue
    else if (table === 'point | rows | ids') ledger.points.push({ point: first, rows: Number(second), ids: marked(third) })
    else if (table === 'id | departure | reason') ledger.decisions.push(first)
    else if (table === 'row | file | test | decision') {
      const id = marked(first)[0] ?? ''
      ledger.rows.push({ id, files: marked(second), tests: marked(third), decisions: fourth.match(/\bD\d+\b/g) ?? [] })
    }
  }
  return ledger
}

const marked = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
