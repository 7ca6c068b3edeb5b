import { chooseResolvers } from '../runtime/engine/resolvers.ts'
import { type Check, check } from './Check.ts'

/** Whether applications find names: some resolver that they may ask must answer. */
export async function checkResolvers(configured: readonly string[] | undefined): Promise<Check> {
  const found = await chooseResolvers(configured)
  const asked = configured
    ? `${configured.join(', ')} do not answer`
    : 'neither public resolvers nor those of this machine answer'
  const fix = 'write "resolvers": ["<address>"] into the configuration, with one that applications may ask'
  return check('names for applications', found.length > 0, found.length > 0 ? `asked of ${found.join(', ')}` : asked, fix)
}
