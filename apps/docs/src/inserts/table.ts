/** A Markdown table. Bars in cells are escaped. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = header.map((_, column) => (right.includes(column) ? '---:' : '---'))
  return [line(header), line(rule), ...rows.map(line)].join('\n')
}
