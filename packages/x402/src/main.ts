#!/usr/bin/env node
import { AppError } from '@rackfair/rules/errors/AppError'
import { connectMarket, withAccount } from '@rackfair/sdk'
import type { Address } from 'viem'
import { nonceManager, privateKeyToAccount } from 'viem/accounts'
import { serveRun } from './serveRun.ts'
import { USAGE, wayOf } from './way.ts'

const way = wayOf(process.argv.slice(2), process.env)
if (way === 'help') {
  console.log(USAGE)
  process.exit(0)
}
if (way === undefined) {
  console.error(USAGE)
  process.exit(2)
}
const { key, platform, rpcUrl, access, ...where } = way
try {
  const market = await connectMarket({ platform, rpcUrl, access: access as Address | undefined })
  // Jobs run at the same time, and each sends transactions.
  const account = privateKeyToAccount(key, { nonceManager })
  const { url, close } = await serveRun(withAccount(market, account), where)
  console.log(JSON.stringify({ url, key: account.address }))
  const end = () => void close().then(() => process.exit(0))
  process.once('SIGINT', end).once('SIGTERM', end)
} catch (error) {
  console.error(error instanceof AppError ? `${error.code}: ${error.message}` : String(error))
  process.exit(1)
}
