import type { FileChange, FileEntry } from '@rackfair/sdk/workspace'
import { useState } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { isFileName, joinPath, shownName } from './filePaths.ts'
import { fileMessages } from './messages.ts'

export type FileDialog = { is: 'newFolder' } | { is: 'rename' | 'remove'; entry: FileEntry }

export interface FileDialogsProps {
  dialog: FileDialog
  /** The folder that is shown. */
  folder: string
  onClose: () => void
  /** Performs the operation on the machine. @throws AppError */
  onChange: (request: FileChange) => Promise<void>
}

/** Asks for a name, or for confirmation of a deletion, and stays open with the error if it is refused. */
export function FileDialogs({ dialog, folder, onClose, onChange }: FileDialogsProps) {
  const text = useMessages(fileMessages)
  const errorText = useErrorText()
  const [name, setName] = useState(dialog.is === 'rename' ? dialog.entry.name : '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const from = dialog.is === 'newFolder' ? '' : joinPath(folder, dialog.entry.name)
  const request: FileChange =
    dialog.is === 'newFolder'
      ? { op: 'mkdir', path: joinPath(folder, name) }
      : dialog.is === 'rename'
        ? { op: 'rename', path: from, to: joinPath(folder, name) }
        : { op: 'remove', path: from }
  const isNamed = dialog.is === 'remove' || (isFileName(name) && name !== (dialog.is === 'rename' && dialog.entry.name))
  const submit = async () => {
    if (!isNamed || busy) return
    setBusy(true)
    setError(undefined)
    try {
      await onChange(request)
      onClose()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  const title =
    dialog.is === 'newFolder'
      ? text.newFolder
      : (dialog.is === 'rename' ? text.renameTitle : text.removeTitle)(shownName(dialog.entry.name))
  const word = { newFolder: text.create, rename: text.renameDo, remove: text.removeDo }[dialog.is]
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            variant={dialog.is === 'remove' ? 'danger' : 'primary'}
            pending={busy}
            disabledReason={isNamed ? undefined : text.badName}
            reasonAs="tooltip"
            onClick={() => void submit()}
          >
            {word}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {dialog.is === 'remove' ? (
          <p className="break-words text-ink-2">
            {(dialog.entry.type === 'folder' ? text.removeFolder : text.removeFile)(shownName(from))}
          </p>
        ) : (
          <Field label={dialog.is === 'newFolder' ? text.folderName : text.newName} hint={text.badName}>
            <TextInput mono value={name} onChange={setName} data-start="" maxLength={255} />
          </Field>
        )}
        {error !== undefined && (
          <Notice tone="bad" title={text.notDone}>
            {errorText(error).full}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
