import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useConfig } from '../../platform/api/config.ts'
import { useDebounced } from '../../platform/browser/useDebounced.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Address } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useCopy } from '../../ui/useCopy.ts'
import { type Market, useAccountState, useMarket } from '../../wallet/index.ts'
import { ArgsEditor } from './ArgsEditor.tsx'
import { type ConsoleFunction, signatureOf } from './consoleFunctions.ts'
import { argsOfQuery, consoleQuery } from './consoleUrl.ts'
import { consoleMessages } from './messages.ts'
import { OutcomeCard } from './OutcomeCard.tsx'
import { parseArgs } from './parseArgs.ts'
import { prefillArgs } from './prefill.ts'
import { typescriptOf } from './typescriptOf.ts'
import { useConsoleCall } from './useConsoleCall.ts'

/** One function with its parameters, its buttons and its output. Mounted anew for another function. */
export function CallPanel({
  entry,
  args,
  chosen,
  onArgs,
}: {
  entry: ConsoleFunction
  /** It was chosen on this page, not opened by URL: it gets the focus. */
  chosen: boolean
  args: string | undefined
  onArgs: (query: string) => void
}) {
  const text = useMessages(consoleMessages)
  const errorText = useErrorText()
  const market = useMarket()
  const ready = market.status === 'ready' ? market.market : undefined
  const account = useAccountState()
  const heading = useRef<HTMLHeadingElement>(null)
  const [typed, setTyped] = useState(args === undefined ? undefined : argsOfQuery(args))
  const prefilled = prefillArgs(entry, { account: account.address, credit: ready?.addresses.credit })
  const argsText = typed ?? prefilled
  const parsed = parseArgs(entry.inputs, argsText)
  const issues = 'issues' in parsed ? parsed.issues : []
  const values = 'args' in parsed ? parsed.args : undefined
  const call = useConsoleCall(entry, argsText)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what opened the panel decides, once
  useEffect(() => {
    if (chosen) heading.current?.focus()
  }, [])
  const rested = useDebounced(typed)
  useEffect(() => {
    if (rested !== undefined) onArgs(consoleQuery(entry, rested))
  }, [entry, rested, onArgs])

  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-3">
          <h2 ref={heading} tabIndex={-1} className="num text-lg break-all">
            {entry.contract}.{entry.name}
          </h2>
          <Badge tone={entry.kind === 'read' ? 'off' : 'warn'}>{entry.kind === 'read' ? text.read : text.write}</Badge>
        </div>
        <Signature entry={entry} market={ready} />
      </div>
      {market.status === 'failed' && (
        <Notice tone="bad" title={text.chainFailed} actions={<Button onClick={market.retry}>{text.retry}</Button>}>
          {errorText(market.error).full}
        </Notice>
      )}
      {entry.inputs.length === 0 ? (
        <p className="text-ink-3">{text.noParameters}</p>
      ) : (
        <ArgsEditor value={argsText} onChange={setTyped} onPrefill={() => setTyped(prefilled)} issues={issues} />
      )}
      {entry.kind === 'write' && (
        <p className="text-xs text-ink-3">{account.address ? text.asAccount(account.address) : text.asNobody}</p>
      )}
      <div className="flex flex-wrap items-start gap-2.5">
        <CallButtons entry={entry} argsText={argsText} call={call} market={ready} values={values} />
        <span className="flex-1" />
        <CopyButtons entry={entry} argsText={argsText} values={values} />
      </div>
      <OutcomeCard outcome={call.outcome} market={ready} />
    </div>
  )
}

interface CallButtonsProps {
  entry: ConsoleFunction
  argsText: string
  call: ReturnType<typeof useConsoleCall>
  market: Market | undefined
  values: readonly unknown[] | undefined
}

/** Runs a reading function; a writing one is simulated before it can be sent. Each disabled button says why. */
function CallButtons({ entry, argsText, call, market, values }: CallButtonsProps) {
  const text = useMessages(consoleMessages)
  const account = useAccountState()
  const { outcome, read, simulate, send, busy } = call
  const blocked = values === undefined ? text.badParameters : market === undefined ? text.marketLoading : undefined
  const act = (run: typeof read) => () => {
    if (market && values) void run(market, values)
  }
  if (entry.kind === 'read')
    return (
      <Button variant="primary" pending={busy} disabledReason={blocked} onClick={act(read)}>
        {text.run}
      </Button>
    )
  const simulated = outcome.phase === 'simulated' && outcome.argsText === argsText
  const sendBlocked =
    account.status === 'loading'
      ? text.walletLoading
      : account.status !== 'connected'
        ? text.sendNeedsWallet
        : !account.supported
          ? text.sendNeedsNetwork
          : (blocked ?? (simulated || outcome.phase === 'sending' ? undefined : text.sendNeedsSimulation))
  return (
    <>
      <Button
        variant={simulated ? 'outline' : 'primary'}
        pending={outcome.phase === 'running'}
        disabledReason={blocked}
        onClick={act(simulate)}
      >
        {text.simulate}
      </Button>
      <Button
        variant={simulated ? 'primary' : 'outline'}
        pending={outcome.phase === 'sending'}
        disabledReason={sendBlocked}
        onClick={act(send)}
      >
        {text.send}
      </Button>
    </>
  )
}

function Signature({ entry, market }: { entry: ConsoleFunction; market: Market | undefined }) {
  const text = useMessages(consoleMessages)
  return (
    <>
      <p className="num text-xs break-words text-ink-3">{signatureOf(entry)}</p>
      {market && (
        <p className="text-xs text-ink-3">
          {text.at} <Address value={market.addresses[entry.contract]} />
        </p>
      )}
    </>
  )
}

interface CopyButtonsProps {
  entry: ConsoleFunction
  argsText: string
  /** The parameters as they are sent; undefined while they are wrong. */
  values: readonly unknown[] | undefined
}

/** The call as a link and as a program. */
function CopyButtons({ entry, argsText, values }: CopyButtonsProps) {
  const text = useMessages(consoleMessages)
  const config = useConfig()
  const link = useCopy()
  const program = useCopy()
  const address = `${window.location.origin}/test?${consoleQuery(entry, argsText)}`
  return (
    <>
      <Button variant="quiet" onClick={() => void link.copy(address)}>
        {link.copied ? text.copied : text.link}
      </Button>
      <Button
        variant="quiet"
        disabledReason={values === undefined ? text.badParameters : undefined}
        reasonAs="tooltip"
        onClick={() => {
          if (config && values)
            void program.copy(typescriptOf(entry, { rpcUrl: config.rpcUrl, access: config.access, args: values }))
        }}
      >
        {program.copied ? text.copied : text.typescript}
      </Button>
    </>
  )
}
