import { useMessages } from '../../../i18n/useMessages.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { moneyMessages } from '../messages.ts'
import { PledgeForm } from './PledgeForm.tsx'

/** What the pledge does, and the form that changes it. */
export function PledgeDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const text = useMessages(moneyMessages).pledge
  return (
    <Dialog open={open} wide onClose={onClose} title={text.manage}>
      <div className="flex flex-col gap-5">
        <p className="text-ink-2">{text.what}</p>
        <PledgeForm />
      </div>
    </Dialog>
  )
}
