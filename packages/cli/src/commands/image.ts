import { type ContractCall, sendCall, waitForReceipt } from '@rackfair/sdk'
import { checkImage } from '@rackfair/sdk/uptime'
import type { Hash } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session } from '../session.ts'

/** Compares the image running on an order with the one its provider promised, and sends the proof if another one ran. */
export async function image(session: Session, order: string, flags: { prove?: boolean }): Promise<number> {
  const { text, output } = session
  const orderId = orderIdOf(order, text)
  const market = await session.market()
  const { id, details } = await market.api.orderDeployment(String(orderId))
  const promise = details?.promise
  if (!promise) throw new CliError(EXIT.notFound, 'not_found', text.nothingPromised)
  const { asPromised, otherwise, proofs } = await checkImage(market, orderId, promise)

  const hashes: Hash[] = []
  if (flags.prove && proofs.length > 0) {
    const { client, wallet } = await session.renter()
    await session.confirm(text.confirmProve)
    for (const proof of proofs) {
      // Errors only know the calls of the five contracts of an order; Monitors is not one of them.
      const hash = await sendCall(client, wallet, proof as unknown as ContractCall)
      session.onSent({ step: 'pay', hash })
      await waitForReceipt(client, hash)
      hashes.push(hash)
    }
  }
  const lines = [text.promised(promise.image.slice(2)), text.recorded(asPromised, otherwise)]
  output.data({ deploymentId: id, promise, asPromised, otherwise, hashes }, [...lines, ...hashes.map(text.proved)].join('\n'))
  return otherwise > 0 ? EXIT.refused : EXIT.ok
}
