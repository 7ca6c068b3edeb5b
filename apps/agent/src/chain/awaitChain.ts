import { AppError } from '@rackfair/core'
import type { Hex } from 'viem'
import type { Log } from '../log.ts'
import { type ChainOptions, type ChainView, openChain } from './chainView.ts'

const RETRY_MS = 2000

/**
 * The chain of an agent that may be up before it. Until the right chain has answered once, every question to it throws
 * `chain_unreachable`, as it does when the chain goes away later: what needs no chain does not wait for it.
 */
export function awaitChain({
  onOpen,
  log,
  ...target
}: ChainOptions & {
  /** Called once, before the first answer to anybody. */
  onOpen: (genesis: Hex) => void
  log: Log
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
  const open = async (): Promise<void> => {
    try {
      const found = await openChain(target)
      const genesis = await found.genesis()
      if (stopped) return
      onOpen(genesis)
      opened = found
    } catch (error) {
      if (stopped) return
      const why = error instanceof Error ? error.message : String(error)
      if (why !== reason) log.warn('waiting for the chain', { rpcUrl: target.rpcUrl, reason: why })
      reason = why
      timer = setTimeout(open, RETRY_MS)
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
    genesis: async () => view().genesis(),
    head: async () => view().head(),
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
