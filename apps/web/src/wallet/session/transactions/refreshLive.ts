import { queryClient } from '../../../platform/api/queryClient.ts'

/** Everything that follows the chain is read again. */
export function refreshLive(): void {
  void queryClient.invalidateQueries({ predicate: (query) => query.meta?.live !== undefined })
}
