import type { ContractCall } from '@rackfair/sdk'
import { onlineManager } from '@tanstack/react-query'
import type { Address, Hex, TransactionReceipt, TypedDataDefinition } from 'viem'
import { getAccountState } from '../accountState.ts'
import { loadWallet } from '../loadWallet.ts'
import type { SendOptions, SendState } from '../transactionTypes.ts'

/** What a payment needs from the wallet and the device. */
export interface PaymentWallet {
  /** The currently selected account. */
  getAddress: () => Address | undefined
  isOnline: () => boolean
  /** Whether it sends several calls as one. */
  canBatch: () => Promise<boolean>
  /** Undefined if the user declined. @throws AppError */
  signTyped: (message: TypedDataDefinition) => Promise<Hex | undefined>
  /** Called when its signature of a permit turned out to be one that the contract would not take. */
  noteNoPermit?: () => void
  /** Sends the calls and waits for the last receipt. @throws AppError, `user_rejected` where the person said no */
  sendCalls: (
    calls: readonly ContractCall[],
    options: SendOptions,
    onState: (state: SendState) => void,
  ) => Promise<TransactionReceipt>
}

/** The wallet connected in this browser. Its code is loaded on first use. */
export const browserWallet: PaymentWallet = {
  getAddress: () => getAccountState().address,
  isOnline: () => onlineManager.isOnline(),
  canBatch: async () => (await loadWallet()).canBatch(),
  signTyped: async (message) => (await loadWallet()).signTyped(message),
  noteNoPermit: () => void loadWallet().then((wallet) => wallet.noteNoPermit()),
  sendCalls: async (...values) => (await loadWallet()).sendCalls(...values),
}
