/**
 * Fills in `$(NAME)` as Kubernetes does: `$$` is a dollar sign, and a name without a value stays as it is written.
 *
 * @example expandReferences('http://$(HOST)', () => 'localhost') // 'http://localhost'
 */
export function expandReferences(text: string, known: (name: string) => string | undefined): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (written, name: string | undefined) =>
    name === undefined ? '$' : (known(name) ?? written),
  )
}
