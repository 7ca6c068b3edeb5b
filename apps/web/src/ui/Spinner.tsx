export function Spinner({ large = false }: { large?: boolean }) {
  return (
    <span
      aria-hidden
      className={`inline-block animate-spin rounded-full border-2 border-current border-r-transparent ${large ? 'size-5' : 'size-3.5'}`}
    />
  )
}
