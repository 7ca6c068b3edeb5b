import type { Provider } from '@rackfair/rules/provider/provider'
import { setOperatorCall } from '@rackfair/sdk'
import { zeroAddress } from 'viem'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useAddressField } from '../../../entities/provider/useAddressField.tsx'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { registrationMessages } from '../messages.ts'

/** Appoints or dismisses the hot key of the agent, and says what it may do. */
export function OperatorDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(registrationMessages).operator
  const appointing = useTransaction()
  const dismissing = useTransaction()
  const current = provider.operator
  const { field, check } = useAddressField('operator', text.label, { current, own: provider.address })
  const busy = appointing.busy || dismissing.busy

  const appoint = async () => {
    const operator = check()
    if (!operator) return
    const receipt = await appointing.send(({ addresses }) => setOperatorCall(addresses, operator), {
      description: text.describeSet(operator),
      success: { title: text.appointed },
    })
    if (receipt) onClose()
  }
  const dismiss = async () => {
    const receipt = await dismissing.send(({ addresses }) => setOperatorCall(addresses, zeroAddress), {
      description: text.describeDismiss,
      success: { title: text.dismissed, text: text.dismissWhat },
    })
    if (receipt) onClose()
  }

  return (
    <FormDialog
      wide
      title={text.title}
      cancel={shared.cancel}
      submit={text.appoint}
      submitting={appointing.busy}
      busy={busy}
      more={
        current !== undefined && (
          <Button variant="danger" pending={dismissing.busy} onClick={() => void dismiss()}>
            {text.dismiss}
          </Button>
        )
      }
      onSubmit={() => void appoint()}
      onClose={onClose}
    >
      <p className="text-ink-2">{text.what}</p>
      <p className="text-ink-2">{text.where}</p>
      {current !== undefined && (
        <p>
          {text.current} <Address value={current} full />
        </p>
      )}
      {field}
      <WriteStatus state={appointing.state} />
      <WriteStatus state={dismissing.state} />
    </FormDialog>
  )
}
