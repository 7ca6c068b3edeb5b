import { queryClient } from '../../../lib/queryClient.ts'

/** Everything that follows the chain is read again. */
export function refreshLive(): void {
  void queryClient.invalidateQueries({ predicate: (query) => query.meta?.live !== undefined })
}
