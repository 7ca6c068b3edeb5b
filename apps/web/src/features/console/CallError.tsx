import type { AppError } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from '@rackfair/sdk'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { consoleMessages } from './messages.ts'

/** Why a call fails: the contract's own error by name with its arguments, what it means, and the technical message. */
export function CallError({ error }: { error: AppError<ErrorCode> }) {
  const text = useMessages(consoleMessages).outcome
  const errorText = useErrorText()
  const facts = Object.entries(error.facts)
  const custom = /^[A-Z]/.test(error.code)
  return (
    <>
      <Notice tone="bad" title={custom ? text.reverted : text.failed}>
        {errorText(error).full}
      </Notice>
      <Facts
        facts={[
          { term: text.error, value: error.code },
          ...(custom && facts.length === 0 ? [{ term: text.argument, value: text.noArguments }] : []),
          ...facts.map(([name, value]) => ({ term: name, value: String(value) })),
        ]}
      />
      <details className="text-xs text-ink-2">
        <summary>{text.technical}</summary>
        <p className="num mt-1 max-h-40 overflow-y-auto break-words">{error.message}</p>
      </details>
    </>
  )
}
