import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { CliError, EXIT } from '../exitCodes.ts'
import { writeKeystore } from '../key/keystore.ts'
import { keyOf, type Session, setting } from '../session.ts'

export async function newKey(session: Session): Promise<void> {
  await keep(session, generatePrivateKey())
}

/** The key is read from the environment: an argument would show up in the process list and in the shell's history. */
export async function importKey(session: Session): Promise<void> {
  const key = setting(process.env, 'RACKFAIR_KEY')
  if (key === undefined) throw new CliError(EXIT.key, 'key_missing', session.text.needKey)
  await keep(session, keyOf(key, session.text))
}

export async function keyAddress(session: Session): Promise<void> {
  const { address } = await session.account()
  session.output.data({ address }, address)
}

async function keep({ text, output, keystoreFile, password }: Session, key: Hex): Promise<void> {
  const { address } = privateKeyToAccount(key)
  const first = await password(text.newPassword)
  if (first === '') throw new CliError(EXIT.key, 'key_password', text.emptyPassword)
  if (first !== (await password(text.samePassword))) throw new CliError(EXIT.key, 'key_password', text.otherPassword)
  await writeKeystore(keystoreFile, key, first)
  output.note(text.keyWritten(keystoreFile))
  output.data({ address, keystore: keystoreFile }, address)
}
