import type { AppError } from '@rackfair/rules/errors/AppError'
import { cutText } from '@rackfair/rules/text/shortText'
import { type ErrorCode, toAppError } from '@rackfair/sdk'
import { useEffect, useState } from 'react'
import type { Hash } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { type Market, useAccountState, useTransaction } from '../../wallet/index.ts'
import { type HistoryEntry, remember } from './callHistory.ts'
import type { ConsoleFunction } from './consoleFunctions.ts'
import { consoleMessages } from './messages.ts'
import type { Outcome } from './outcome.ts'
import { resultJson } from './resultJson.ts'
import { callOf, decodeEvents, runRead, runSimulation } from './runCall.ts'

/** Runs one function: reads it, tries it, sends it; keeps what came of it and writes the history. */
export function useConsoleCall(entry: ConsoleFunction, argsText: string) {
  const text = useMessages(consoleMessages)
  const { address } = useAccountState()
  const { state, send: sendTransaction } = useTransaction()
  const [outcome, setOutcome] = useState<Outcome>({ phase: 'empty' })

  const note = (did: HistoryEntry['did'], ok: boolean, summary: string) =>
    remember({
      contract: entry.contract,
      name: entry.name,
      argsText,
      did,
      ok,
      summary: oneLine(summary),
    })
  const fail = (did: HistoryEntry['did'], error: AppError<ErrorCode>, hash?: Hash) => {
    setOutcome({ phase: 'failed', error, hash })
    note(did, false, error.message)
  }

  useEffect(() => {
    if (state.phase === 'wallet') setOutcome({ phase: 'sending', hash: undefined })
    if (state.phase === 'submitted') setOutcome({ phase: 'sending', hash: state.hash })
  }, [state])

  const read = async (market: Market, args: readonly unknown[]) => {
    setOutcome({ phase: 'running' })
    try {
      const json = resultJson(await runRead(market, entry, args), entry.outputs)
      setOutcome({ phase: 'result', json })
      note('read', true, json)
    } catch (error) {
      fail('read', toAppError(error))
    }
  }
  const simulate = async (market: Market, args: readonly unknown[]) => {
    setOutcome({ phase: 'running' })
    try {
      const simulation = await runSimulation(market, entry, args, address)
      const json = resultJson(simulation.result, entry.outputs)
      setOutcome({ phase: 'simulated', json, simulation, argsText })
      note('simulate', true, json === '' ? text.outcome.wouldSucceed : json)
    } catch (error) {
      fail('simulate', toAppError(error))
    }
  }
  const send = async (market: Market, args: readonly unknown[]) => {
    const call = callOf(market, entry, args)
    const receipt = await sendTransaction(call, {
      description: text.description(entry.contract, entry.name),
      onFailed: (error, hash) => fail('send', error, hash),
    })
    if (!receipt) {
      setOutcome((last) => (last.phase === 'sending' ? { phase: 'empty' } : last))
      return
    }
    setOutcome({
      phase: 'sent',
      hash: receipt.transactionHash,
      block: receipt.blockNumber,
      gasUsed: receipt.gasUsed,
      feeWei: receipt.gasUsed * receipt.effectiveGasPrice,
      events: decodeEvents(receipt.logs, market.addresses),
    })
    note('send', true, receipt.transactionHash)
  }
  return { outcome, read, simulate, send, busy: outcome.phase === 'running' || outcome.phase === 'sending' }
}

function oneLine(text: string): string {
  return cutText(text.replace(/\s+/g, ' '), 120)
}
