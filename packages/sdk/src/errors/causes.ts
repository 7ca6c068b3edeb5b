/** An error and what it was caused by, outermost first; cut where a chain does not end. */
export function causes(error: unknown): Error[] {
  const found: Error[] = []
  let link = error
  while (link instanceof Error && found.length < 16) {
    found.push(link)
    link = link.cause
  }
  return found
}
