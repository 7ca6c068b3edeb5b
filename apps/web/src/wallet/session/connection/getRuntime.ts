import { configQuery } from '../../../platform/api/config.ts'
import { queryClient } from '../../../platform/api/queryClient.ts'
import { stopLoading } from '../../accountState.ts'
import { startRuntime } from './startRuntime.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

let starting: Promise<WalletRuntime> | undefined

/** Starts the wallet side once the installation's settings are known. A failure can be tried again. */
export function getRuntime(): Promise<WalletRuntime> {
  starting ??= queryClient
    .fetchQuery({ ...configQuery, retry: 1 })
    .then(startRuntime)
    .catch((error: unknown) => {
      starting = undefined
      stopLoading()
      throw error
    })
  return starting
}
