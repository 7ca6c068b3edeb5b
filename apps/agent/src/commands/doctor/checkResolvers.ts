import { type Check, check } from '../../foundation/Check.ts'
import { chooseResolvers } from '../../runtime/engine/resolvers.ts'

/** The doctor asks once, so that one packet that is lost, or one answer that comes late, is no finding. */
const TRIES = 2

/** Checks name resolution for applications: at least one of their resolvers must answer. */
export async function checkResolvers(configured: readonly string[] | undefined): Promise<Check> {
  const found = await chooseResolvers(configured, TRIES)
  const asked = configured
    ? `${configured.join(', ')} do not answer`
    : 'neither public resolvers nor those of this machine answer'
  const fix = 'write "resolvers": ["<address>"] into the configuration, with one that applications may ask'
  return check('names for applications', found.length > 0, found.length > 0 ? `asked of ${found.join(', ')}` : asked, fix)
}
