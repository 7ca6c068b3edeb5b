import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

/**
 * A dialog with fields that are signed together by its primary button. Enter in a field takes what is chosen there and signs nothing. It
 * stays open while it is `busy`.
 */
export function FormDialog({
  title,
  wide = false,
  cancel,
  submit,
  submitting,
  busy = submitting,
  blocked,
  more,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  wide?: boolean
  cancel: string
  submit: string
  submitting: boolean
  /** Also while something else than the fields is sent. */
  busy?: boolean
  /** Why there is nothing to send. */
  blocked?: string | undefined
  /** Another button, before these two. */
  more?: ReactNode
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog
      open
      wide={wide}
      onClose={onClose}
      dismissible={!busy}
      title={title}
      footer={
        <>
          {more}
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            variant="primary"
            pending={submitting}
            disabledReason={blocked}
            reasonAs="tooltip"
            onClick={busy ? undefined : onSubmit}
          >
            {submit}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Dialog>
  )
}
