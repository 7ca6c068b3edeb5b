export { purseAddress } from '@rackfair/contracts/purseAddress'
export { assignOrder } from './actions/assignOrder.ts'
export { changeKey } from './actions/changeKey.ts'
export { createPurse } from './actions/createPurse.ts'
export { depositToPurse } from './actions/depositToPurse.ts'
export { depositUsdtToPurse } from './actions/depositUsdtToPurse.ts'
export { grantKey } from './actions/grantKey.ts'
export { keepOrder } from './actions/keepOrder.ts'
export { purseOf } from './actions/purseOf.ts'
export { type PurseKey, type PurseView, readPurse } from './actions/readPurse.ts'
export { type PurseOrder, readPurseOrder } from './actions/readPurseOrder.ts'
export { renewOrder } from './actions/renewOrder.ts'
export { revokeKey } from './actions/revokeKey.ts'
export { withdrawFromPurse } from './actions/withdrawFromPurse.ts'
export { withPurse } from './actions/withPurse.ts'
export type { ChainReader } from './chain/ChainReader.ts'
export { type AbiOf, type ContractName, contractAbis } from './chain/contractAbis.ts'
export { type ContractCall, contractCall, readMarket } from './chain/contractCall.ts'
export { createdOrderId } from './chain/createdOrderId.ts'
export { creditPermitMessage, permitArgument } from './chain/creditPermit.ts'
export { type MarketEarnings, readEarnings, readMarkets, withdrawCalls } from './chain/earnings.ts'
export { extendedDuration } from './chain/extendedDuration.ts'
export { carries, findCall, type SentCall } from './chain/findCall.ts'
export { type Gate, type GateCall, gateDepositCalls, gateWithdrawCalls, readGate, readUsdt } from './chain/gate.ts'
export { isSignedBy, recoversTo } from './chain/isSignedBy.ts'
export { newestBlock } from './chain/newestBlock.ts'
export { type MarketAddresses, marketOf, readAddresses } from './chain/readAddresses.ts'
export { type ChainWriter, type SendableCall, sendCall } from './chain/sendCall.ts'
export { signVoucher, type Voucher } from './chain/signVoucher.ts'
export { getBalances, getNode, getOrder, getProvider, quoteCancel, quoteExtension, quoteOrder } from './chain/views.ts'
export { RECEIPT_TIMEOUT_MS, waitForReceipt } from './chain/waitForReceipt.ts'
export { withGasMargin } from './chain/withGasMargin.ts'
export {
  cleanOrder,
  type Deployable,
  type Deployed,
  type DeployOptions,
  type DeployProgress,
  deployApp,
} from './deploy/deployApp.ts'
export type { ErrorCode } from './errors/ErrorCode.ts'
export { toAppError } from './errors/toAppError.ts'
export * from './http/index.ts'
export { type ConnectOptions, connectMarket, type Market, type Payer, type Renter, withAccount } from './market/connectMarket.ts'
export { searchIdle } from './market/searchIdle.ts'
export { type FoundNode, listNodes, type NodePage, searchNodes } from './market/searchNodes.ts'
export { type BoughtOnce, boughtOnce, buyOnce } from './order/buyOnce.ts'
export {
  type Bought,
  type BuyOptions,
  buyOrder,
  extendOrder,
  type Purchase,
  type Quote,
  quote,
  type Term,
} from './order/buyOrder.ts'
export { type Cancelled, cancelOrder, closeForDowntime, previewCancel, releaseOrder } from './order/cancelOrder.ts'
export type { PaymentWay } from './order/choosePaymentWay.ts'
export { type Moved, type MoveOptions, moveOrder, previewMove } from './order/moveOrder.ts'
export { type Conditions, extensionOffer, type Offer, orderOffer, type PermitMessage, permitRequest } from './order/offers.ts'
export { listOrders, type Receipt, type RentedOrder, receipt } from './order/orders.ts'
export { type PayOptions, readFunds, requireFunds, type SentTransaction } from './order/payFromKey.ts'
export { type PayingAccount, type PaymentStep, payOffer, readPaymentWay } from './order/payOffer.ts'
export {
  addNodeCall,
  type ProviderFacts,
  pledgeCall,
  registerCall,
  removeNodeCall,
  setMinTermCall,
  setOnlineCall,
  setOperatorCall,
  unpledgeCall,
  updateNodeCall,
  withdrawInterestCall,
} from './provider/calls.ts'
export { purseMessage, purseSignature, signAsUser, userOf } from './purse/asUser.ts'
export {
  changeKeyCall,
  createPurseCall,
  depositToPurseCall,
  grantKeyCall,
  keepOrderCall,
  type PurseStanding,
  renewOrderCall,
  revokeKeyCall,
  withdrawFromPurseCall,
} from './purse/calls.ts'
export type { Mined } from './purse/purseCall.ts'
export { type KeyLimits, PURSE_RIGHTS, type PurseRight } from './purse/rights.ts'
