import { AppError } from '@rackfair/rules/errors/AppError'
import type { Hex } from 'viem'
import { hostOf } from '../../foundation/hiddenSecrets.ts'
import type { Log } from '../../foundation/log.ts'
import { type ChainOptions, type ChainView, openChain } from './chainView.ts'

/**
 * A chain view for an agent that may start before its chain. Until the right chain has answered once, every call throws
 * `chain_unreachable`, as it does when the chain becomes unreachable later: whatever needs no chain does not wait for it.
 */
export function awaitChain({
  onOpen,
  onOtherChain,
  log,
  retryMs,
  ...target
}: ChainOptions & {
  /** Called once, before any caller gets its first answer. */
  onOpen: (genesis: Hex) => void
  /** Called when the chain is not the one of `knownGenesis`, at startup or later. From then on every call fails. */
  onOtherChain: (error: AppError) => void
  log: Log
  /** Delay before a chain that did not answer is queried again. */
  retryMs: number
}): ChainView & { stop(): void } {
  let opened: ChainView | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let reason = 'it was not asked yet'

  const view = (): ChainView => {
    if (opened) return opened
    throw new AppError('chain_unreachable', `the chain did not answer yet, nothing was changed; try again later: ${reason}`, {
      retryable: true,
    })
  }
  const leave = (error: AppError) => {
    stopped = true
    opened = undefined
    reason = error.message
    onOtherChain(error)
  }
  const open = async (): Promise<void> => {
    try {
      const found = await openChain(target)
      if (stopped) return
      onOpen(found.genesis)
      opened = found
    } catch (error) {
      if (stopped) return
      if (isOtherChain(error)) return leave(error)
      const why = error instanceof Error ? error.message : String(error)
      if (why !== reason) log.warn('waiting for the chain', { chain: hostOf(target.rpcUrl), reason: why })
      reason = why
      timer = setTimeout(open, retryMs)
    }
  }
  void open()

  return {
    get client() {
      return view().client
    },
    get addresses() {
      return view().addresses
    },
    chainId: target.chainId,
    get genesis() {
      return view().genesis
    },
    head: async () =>
      view()
        .head()
        .catch((error: unknown) => {
          if (isOtherChain(error) && !stopped) leave(error)
          throw error
        }),
    order: async (orderId) => view().order(orderId),
    node: async (nodeId) => view().node(nodeId),
    nodes: async () => view().nodes(),
    providerInfo: async () => view().providerInfo(),
    signedBy: async (...signed) => view().signedBy(...signed),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

const isOtherChain = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'wrong_chain' && 'genesis' in (error.facts ?? {})
