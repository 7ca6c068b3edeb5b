import { revokeKeyCall } from '@rackfair/sdk'
import type { Address } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useTransaction } from '../../wallet/index.ts'
import { keyMessages } from './messages.ts'

export interface RevokeDialogProps {
  purse: Address
  /** Of the key, and its address. */
  name: string
  address: Address
  onClose: () => void
}

/** Asks before a key ends for good. */
export function RevokeDialog({ purse, name, address, onClose }: RevokeDialogProps) {
  const text = useMessages(keyMessages)
  const { busy, send } = useTransaction()
  const revoke = async () => {
    const options = { description: text.describeRevoke(name), success: { title: text.isRevoked } }
    if (await send(revokeKeyCall(purse, address), options)) onClose()
  }
  return (
    <FormDialog
      title={text.revokeTitle(name)}
      cancel={text.cancel}
      submit={text.revoke}
      submitting={busy}
      onSubmit={() => void revoke()}
      onClose={onClose}
    >
      <p className="text-ink-2">{text.revokeText}</p>
    </FormDialog>
  )
}
