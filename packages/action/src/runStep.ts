import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { formatCredit, parseCredit } from '@rackfair/rules/money'
import { PRESET_NAMES } from '@rackfair/rules/presets'
import { visibleText } from '@rackfair/rules/text/visibleText'
import { boughtOnce, cancelOrder, connectMarket, type Renter, withAccount, withPurse } from '@rackfair/sdk'
import { Sandbox } from '@rackfair/sdk/sandbox'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getTransactionCount } from 'viem/actions'
import type { Runner } from './runner.ts'

/** What a key has sent is mined within seconds; a market's own answers are waited for as long. */
const MINED_MS = 300_000
const POLL_MS = 500

/** Runs the step, and ends its order. Returns the exit code of the command. */
export async function runStep(runner: Runner, write: (text: string) => void): Promise<number> {
  const command = runner.input('command')
  const files = filesOf(runner.optional('files'))
  const maxPriceWei = parseCredit(runner.input('max-usd'))
  if (maxPriceWei === undefined) throw new Error('max-usd is not an amount such as 2 or 0.50')
  const minutes = numberOf(runner, 'timeout-minutes')
  const { image, preset, machine, term } = wishOf(runner)
  const renter = await renterOf(runner)
  // The chain keeps the order under this name from the moment that it exists, whatever this program lives to hear of it.
  const name = randomUUID()
  runner.save('purchase', name)
  const sandbox = await Sandbox.create(renter, {
    ...{ image, preset, machine, term, maxPriceWei, name },
    onProgress: ({ phase }) => write(`${phase}\n`),
  })
  runner.output('order', String(sandbox.orderId))
  runner.output('receipt', `${renter.platform}/v1/orders/${sandbox.orderId}/receipt`)
  const { paidWei } = await sandbox.cost()
  try {
    const decoder = { out: new TextDecoder(), error: new TextDecoder() }
    const resume = runner.stopCommands()
    const { exitCode } = await sandbox.commands
      .run(command, {
        ...(minutes === undefined ? {} : { timeoutMs: minutes * 60_000 }),
        onStdout: (bytes) => write(visibleText(decoder.out.decode(bytes, { stream: true }))),
        onStderr: (bytes) => write(visibleText(decoder.error.decode(bytes, { stream: true }))),
      })
      .finally(resume)
    for (const { there, here } of files) {
      const content = await sandbox.files.readBytes(there)
      mkdirSync(dirname(here), { recursive: true })
      writeFileSync(here, content)
    }
    runner.output('exit-code', String(exitCode))
    return exitCode
  } finally {
    const { refundedWei } = await sandbox.kill()
    runner.output('cost', formatCredit(paidWei - refundedWei))
    runner.save('purchase', '')
  }
}

/** Ends what a cancelled job left, also if it was cancelled before it heard of its order. */
export async function endStep(runner: Runner, write: (text: string) => void): Promise<void> {
  const name = runner.saved('purchase')
  if (name === undefined) return
  const renter = await renterOf(runner)
  await untilMined(renter)
  const order = await boughtOnce(renter, name)
  if (order === undefined) return
  try {
    const { refundedWei } = await cancelOrder(renter, order)
    write(`Order ${order} is ended, ${formatCredit(refundedWei)} USD came back.\n`)
  } catch (error) {
    // It had ended before.
    if ((error as { code?: unknown }).code !== 'WrongStatus') throw error
  }
}

/** A purchase may be under way still, sent by a program that is no more. */
async function untilMined({ client, wallet }: Renter): Promise<void> {
  const { address } = wallet.account
  const count = (blockTag: 'latest' | 'pending') => getTransactionCount(client, { address, blockTag })
  for (const until = Date.now() + MINED_MS; (await count('latest')) < (await count('pending')); await pause(POLL_MS))
    if (Date.now() > until)
      throw new Error('a transaction of the key is not mined; rackfair ps --purse shows later what it bought')
}

async function renterOf(runner: Runner): Promise<Renter> {
  const key = runner.input('key')
  runner.mask(key)
  const market = await connectMarket({ platform: runner.input('platform') })
  return withPurse(withAccount(market, privateKeyToAccount(key as Hex)), runner.input('purse') as Address)
}

function wishOf(runner: Runner) {
  const wanted = runner.optional('preset')
  const preset = PRESET_NAMES.find((one) => one === wanted)
  if (wanted !== undefined && preset === undefined) throw new Error(`${wanted} is no application of the catalogue`)
  const machine = {
    minGpus: numberOf(runner, 'min-gpus'),
    minMemory: numberOf(runner, 'min-memory'),
    minCores: numberOf(runner, 'min-cores'),
  }
  return { image: runner.optional('image'), preset, machine, term: (numberOf(runner, 'hours') ?? 1) * 3_600 }
}

function numberOf(runner: Runner, name: string): number | undefined {
  const value = runner.optional(name)
  if (value === undefined) return undefined
  if (!/^\d{1,7}$/.test(value)) throw new Error(`${name} is not a whole number`)
  return Number(value)
}

/** @throws Error for a line that is not /path/there=path/here */
function filesOf(lines = ''): { there: string; here: string }[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, there, here] = /^(\/[^=]*)=(.+)$/.exec(line) ?? []
      if (there === undefined || here === undefined) throw new Error(`${line} is not /path/there=path/here`)
      return { there, here }
    })
}
