/** What only somebody who is connected opens, in a file of its own. */
export { AccountDialog } from './AccountDialog.tsx'
export { ChainDialog } from './ChainDialog.tsx'
