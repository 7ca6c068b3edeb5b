import { useQuery } from '@tanstack/react-query'
import { findAny } from './findMachines.ts'
import { unknownWords } from './unknownWords.ts'

const NONE: readonly string[] = []

/** Where nothing matches: the words of the text that no machine of the market has. */
export function useUnknownWords(text: string, nothingMatches: boolean): readonly string[] {
  const unknown = useQuery({
    queryKey: ['nodes', 'unknown-words', text],
    queryFn: ({ signal }) => unknownWords(text, findAny(signal)),
    enabled: nothingMatches && text !== '',
    meta: { live: ['node', 'provider'] },
  })
  return nothingMatches ? (unknown.data ?? NONE) : NONE
}
