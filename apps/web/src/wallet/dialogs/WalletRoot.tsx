import { useQuery } from '@tanstack/react-query'
import { Suspense, useSyncExternalStore } from 'react'
import { withTexts } from '../../i18n/withTexts.ts'
import { closeDialog, getDialog, subscribeDialog } from '../dialogStore.ts'
import { getRuntime } from '../session/connection/getRuntime.ts'
import { useAccountState } from '../useAccountState.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { StartDialog } from './StartDialog.tsx'

const ONCE = { staleTime: Number.POSITIVE_INFINITY, retry: false, meta: { live: ['platform'] } } as const
const loadConnected = withTexts(() => import('./connected.ts'))

/** Starts the wallet side and draws the dialog that is open. */
export function WalletRoot() {
  const open = useSyncExternalStore(subscribeDialog, getDialog, getDialog)
  const { status } = useAccountState()
  const runtime = useQuery({ queryKey: ['wallet-runtime'], queryFn: getRuntime, ...ONCE })
  const connected = useQuery({
    queryKey: ['wallet-dialogs'],
    queryFn: loadConnected,
    enabled: status === 'connected',
    ...ONCE,
  })
  if (open === undefined) return null
  const needed = runtime.data && open !== 'connect' ? connected : runtime
  if (!runtime.data || !needed.data)
    return (
      <StartDialog
        onClose={closeDialog}
        error={needed.error}
        retrying={needed.isFetching}
        onRetry={() => void needed.refetch()}
      />
    )
  const dialog = { runtime: runtime.data, onClose: closeDialog }
  return (
    <Suspense fallback={null}>
      {open === 'connect' && <ConnectDialog {...dialog} />}
      {open === 'account' && connected.data && <connected.data.AccountDialog {...dialog} />}
      {open === 'chain' && connected.data && <connected.data.ChainDialog {...dialog} />}
    </Suspense>
  )
}
