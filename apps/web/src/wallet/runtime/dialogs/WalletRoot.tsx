import { useQuery } from '@tanstack/react-query'
import { Suspense, useSyncExternalStore } from 'react'
import { closeDialog, getDialog, subscribeDialog } from '../../dialogStore.ts'
import { getRuntime } from '../connection/getRuntime.ts'
import { AccountDialog } from './AccountDialog.tsx'
import { ChainDialog } from './ChainDialog.tsx'
import { ConnectDialog } from './ConnectDialog.tsx'
import { StartDialog } from './StartDialog.tsx'

/** Starts the wallet side and draws the dialog that is open. */
export function WalletRoot() {
  const open = useSyncExternalStore(subscribeDialog, getDialog, getDialog)
  const runtime = useQuery({
    queryKey: ['wallet-runtime'],
    queryFn: getRuntime,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { live: ['platform'] },
  })
  if (open === undefined) return null
  if (!runtime.data)
    return (
      <StartDialog
        onClose={closeDialog}
        error={runtime.error}
        retrying={runtime.isFetching}
        onRetry={() => void runtime.refetch()}
      />
    )
  return (
    <Suspense fallback={null}>
      {open === 'connect' && <ConnectDialog runtime={runtime.data} onClose={closeDialog} />}
      {open === 'account' && <AccountDialog runtime={runtime.data} onClose={closeDialog} />}
      {open === 'chain' && <ChainDialog runtime={runtime.data} onClose={closeDialog} />}
    </Suspense>
  )
}
