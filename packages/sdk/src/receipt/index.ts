export type { ReceiptCheck, ReceiptDifference, ReceiptPart, ReceiptVerdict } from './ReceiptVerdict.ts'
export { verifyReceipt } from './verifyReceipt.ts'
