import type { Address } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { keyMessages } from './messages.ts'

/** A new private key, which is nowhere else: it is shown until its person says that it is stored. */
export function NewKey({
  name,
  privateKey,
  purse,
  onStored,
}: {
  name: string
  privateKey: string
  purse: Address
  onStored: () => void
}) {
  const text = useMessages(keyMessages)
  const lines = `RACKFAIR_KEY=${privateKey}\nRACKFAIR_PURSE=${purse}`
  return (
    <Notice
      tone="good"
      title={text.shownTitle(name)}
      actions={
        <>
          <CopyButton value={lines}>{text.copy}</CopyButton>
          <Button onClick={onStored}>{text.stored}</Button>
        </>
      }
    >
      <p>{text.shownText}</p>
      <p className="mt-2 text-xs text-ink-3">{text.shownKey}</p>
      <pre data-testid="new-key" className="num mt-1 overflow-x-auto rounded-md bg-sunk p-3 text-xs">
        {lines}
      </pre>
    </Notice>
  )
}
