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

/** Holds the place of something that is being loaded, in its final size. */
export function Skeleton({ size = 'text', narrow = false }: { size?: keyof typeof HEIGHTS; narrow?: boolean }) {
  return <span aria-hidden className={`block animate-pulse rounded-md bg-slot ${HEIGHTS[size]} ${narrow ? 'w-32' : 'w-full'}`} />
}
