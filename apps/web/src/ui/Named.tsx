/** For what is pressed: found by the name that the specification gives it too, which stands before the words that people use. */
export function Named({ name, children }: { name: string; children: string }) {
  return (
    <>
      {name !== '' && <span className="sr-only">{name}, </span>}
      {children}
    </>
  )
}
