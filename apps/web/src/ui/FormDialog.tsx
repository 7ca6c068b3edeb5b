import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

/** A dialog with fields that are sent together, by its primary button or by Enter. It stays open while it is `busy`. */
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
          <Button variant="primary" pending={submitting} disabledReason={blocked} reasonAs="tooltip" onClick={onSubmit}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && blocked === undefined) onSubmit()
        }}
      >
        {children}
        {/* Enter sends a form of several fields only where it has such a button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
