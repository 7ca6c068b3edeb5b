/** Shown in the words that people use; read, and found by name, in the specification's. Not for what is pressed. */
export function Spoken({ as, children }: { as: string; children: string }) {
  if (as === children) return children
  return (
    <>
      <span className="sr-only">{as}</span>
      <span aria-hidden>{children}</span>
    </>
  )
}
