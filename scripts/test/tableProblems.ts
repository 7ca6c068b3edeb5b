/** The row of ARCHITECTURE.md for a wall. */
export const rowOf = ({ name, says }: { name: string; says: string }) => `| \`${name}\` | ${says} |`

/** How the table of walls differs from the walls: each row that is missing, and each that no wall has. */
export function tableProblems(markdown: string, walls: readonly { name: string; says: string }[]): string[] {
  const rows = markdown.split('\n').filter((line) => /^\| `[\w-]+` \| .+ \|$/.test(line))
  const wanted = walls.map(rowOf)
  return [
    ...wanted.filter((row) => !rows.includes(row)).map((row) => `missing: ${row}`),
    ...rows.filter((row) => !wanted.includes(row)).map((row) => `surplus: ${row}`),
  ]
}
