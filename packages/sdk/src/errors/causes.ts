/** An error and its causes, outermost first; bounded, for a chain of causes that loops. */
export function causes(error: unknown): Error[] {
  const found: Error[] = []
  let link = error
  while (link instanceof Error && found.length < 16) {
    found.push(link)
    link = link.cause
  }
  return found
}
