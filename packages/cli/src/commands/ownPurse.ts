import { purseOf, type Renter } from '@rackfair/sdk'
import type { Address } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'
import type { Session } from '../session.ts'

/** The account with its own purse. @throws CliError if that does not exist */
export async function ownPurse(session: Session): Promise<{ owner: Renter; purse: Address }> {
  const owner = await session.renter()
  const { purse: address, exists } = await purseOf(owner, owner.wallet.account.address)
  if (!exists) throw new CliError(EXIT.notFound, 'not_found', session.text.purseMissing(address))
  return { owner, purse: address }
}
