export interface CsvRow {
  line: number
  cells: string[]
}

/** Rows of comma-separated cells (RFC 4180): a cell in quotes may hold commas, quotes written twice and line breaks. @throws Error with the line */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let line = 1
  let cell = ''
  let quoted: 'no' | 'open' | 'closed' = 'no'
  const endCell = () => {
    row.cells.push(quoted === 'no' ? cell.trim() : cell)
    cell = ''
    quoted = 'no'
  }
  const endRow = () => {
    endCell()
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row)
    row = { line: line + 1, cells: [] }
  }
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string
    if (quoted === 'open') {
      if (letter === '"' && text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else if (letter === '"') quoted = 'closed'
      else cell += letter
      if (letter === '\n') line += 1
    } else if (letter === ',') endCell()
    else if (letter === '\n') {
      endRow()
      line += 1
      row.line = line
    } else if (letter === '"' && cell.trim() === '' && quoted === 'no') {
      cell = ''
      quoted = 'open'
    } else if (letter !== '\r') {
      if (quoted === 'closed' && letter.trim() !== '')
        throw new Error(`line ${line}: ${JSON.stringify(letter)} after a closing quote`)
      if (quoted === 'no') cell += letter
    }
  }
  if (quoted === 'open') throw new Error(`line ${row.line}: a quote is not closed`)
  endRow()
  return rows
}
