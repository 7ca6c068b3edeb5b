/** What only a call needs: a server that nobody has asked yet leaves half of its memory to others. Import it when it is used. */
export { connectMarket, readPurse, searchIdle, withAccount, withPurse } from '@rackfair/sdk'
export { Sandbox } from '@rackfair/sdk/sandbox'
export { isAddress, isAddressEqual, isHex } from 'viem'
export { privateKeyToAccount } from 'viem/accounts'
