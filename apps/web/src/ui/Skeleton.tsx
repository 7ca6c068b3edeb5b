const HEIGHTS = {
  text: 'h-5',
  line: 'h-9',
  row: 'h-13',
  card: 'h-40',
  band: 'h-24',
  figures: 'h-32',
  panel: 'h-72',
  page: 'h-144',
} as const
/** Lines in those that hold the place of a card; the others are one line themselves. */
const LINES: Partial<Record<keyof typeof HEIGHTS, number>> = { band: 1, figures: 2, card: 3, panel: 6, page: 12 }

/** Holds the place of something that is being loaded, in its final size: a line, or a card with the lines that it will have. */
export function Skeleton({ size = 'text', narrow = false }: { size?: keyof typeof HEIGHTS; narrow?: boolean }) {
  const box = `block ${HEIGHTS[size]} ${narrow ? 'w-32' : 'w-full'}`
  const lines = LINES[size]
  if (lines === undefined) return <span aria-hidden className={`${box} animate-pulse rounded-md bg-slot`} />
  return (
    <span aria-hidden className={`${box} animate-pulse overflow-hidden rounded-lg border border-line bg-raised p-5`}>
      <span className="block h-4 w-36 max-w-full rounded-sm bg-slot" />
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has its place and nothing else
        <span key={index} className={`mt-5 block h-3 rounded-sm bg-slot ${index % 3 === 2 ? 'w-1/2' : 'w-full'}`} />
      ))}
    </span>
  )
}
