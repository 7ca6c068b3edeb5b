import { useSearchParams } from 'wouter'

/** One parameter of the address bar, or undefined when it is missing or empty. */
export function useParam(name: string): string | undefined {
  const [params] = useSearchParams()
  return params.get(name) || undefined
}
