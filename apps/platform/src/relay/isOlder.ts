/** Whether a version of three numbers is lower than another. An unparsable one is lower than all. */
export function isOlder(version: string, than: string): boolean {
  const [mine, theirs] = [numbersOf(version), numbersOf(than)]
  if (!mine || !theirs) return mine === undefined
  const at = mine.findIndex((number, index) => number !== theirs[index])
  return at >= 0 && (mine[at] as number) < (theirs[at] as number)
}

function numbersOf(version: string): number[] | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+].*)?$/.exec(version)
  return match?.slice(1).map(Number)
}
