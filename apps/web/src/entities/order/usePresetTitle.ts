import { useQuery } from '@tanstack/react-query'
import { presetsQuery } from './queries.ts'

/** How people call an application of the catalogue; its plain name until the catalogue has been read. */
export function usePresetTitle(): (name: string) => string {
  const { data } = useQuery(presetsQuery)
  return (name) => data?.find((preset) => preset.name === name)?.title ?? name
}
