import { loadWallet } from './loadWallet.ts'
import { type UseTransaction, useTransactionThrough } from './useTransactionThrough.ts'

const loadSendCalls = async () => (await loadWallet()).sendCalls

/** The one way by which a screen sends a transaction that is no payment of an order. */
export const useTransaction = (): UseTransaction => useTransactionThrough(loadSendCalls)
