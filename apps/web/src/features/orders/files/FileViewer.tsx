import type { Workspace } from '@rackfair/sdk/workspace'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { nameOf, shownName } from './filePaths.ts'
import { fileSize } from './fileSize.ts'
import { fileMessages } from './messages.ts'
import { MAX_MEDIA_BYTES, MAX_TEXT_BYTES, type OpenedFile, readFile } from './readFile.ts'

const ROWS = 18

export interface FileViewerProps {
  workspace: Workspace
  path: string
  onClose: () => void
  onDownload: () => void
  /** Puts the text in the file's place. True when it is there. */
  onSave: (text: string) => Promise<boolean>
}

/** A file in the window: a text to be read and changed, a picture, a sound or a film. */
export function FileViewer({ workspace, path, onClose, onDownload, onSave }: FileViewerProps) {
  const text = useMessages(fileMessages)
  const errorText = useErrorText()
  const [draft, setDraft] = useState<string>()
  const [saving, setSaving] = useState(false)
  const [failed, setFailed] = useState(false)
  const file = useQuery({
    queryKey: ['workspace', 'file', path],
    queryFn: ({ signal }) => readFile(workspace, path, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const opened = file.data?.kind === 'text' ? file.data : undefined
  const isChanged = draft !== undefined && draft !== opened?.text
  const save = async () => {
    if (opened?.ending === undefined || draft === undefined) return
    setSaving(true)
    setFailed(false)
    const isThere = await onSave(draft.replaceAll('\n', opened.ending))
    setSaving(false)
    if (isThere) onClose()
    else setFailed(true)
  }
  return (
    <Dialog
      open
      wide
      title={shownName(nameOf(path))}
      onClose={onClose}
      dismissible={!isChanged && !saving}
      footer={
        <>
          {failed && (
            <p role="alert" className="mr-auto text-xs text-bad">
              {text.saveFailed}
            </p>
          )}
          <Button onClick={onDownload}>{text.download}</Button>
          <Button onClick={onClose}>{isChanged ? text.discard : text.close}</Button>
          {opened?.ending !== undefined && (
            <Button
              variant="primary"
              pending={saving}
              disabledReason={isChanged ? undefined : text.unchanged}
              reasonAs="tooltip"
              onClick={() => void save()}
            >
              {text.save}
            </Button>
          )}
        </>
      }
    >
      <Loaded
        query={file}
        failed={text.openFailed}
        details={(error) => errorText(error).details}
        safe={file.error ? errorText(file.error).full : undefined}
        skeleton={<Skeleton size="panel" />}
      >
        {(shown) => <Shown file={shown} name={nameOf(path)} draft={draft} onDraft={setDraft} />}
      </Loaded>
    </Dialog>
  )
}

interface ShownProps {
  file: OpenedFile
  name: string
  draft: string | undefined
  onDraft: (text: string) => void
}

function Shown({ file, name, draft, onDraft }: ShownProps) {
  const text = useMessages(fileMessages)
  const format = useFormat()
  switch (file.kind) {
    case 'text':
      return (
        <div className="flex flex-col gap-2">
          <TextArea
            data-start
            mono
            rows={ROWS}
            wrap="off"
            aria-label={text.contents(shownName(name))}
            readOnly={file.ending === undefined}
            value={draft ?? file.text}
            onChange={onDraft}
          />
          {file.ending === undefined && <p className="text-xs text-warn">{text.mixedEnds}</p>}
        </div>
      )
    case 'large':
      return <p className="text-ink-2">{text.tooLarge(fileSize(format, MAX_TEXT_BYTES), fileSize(format, MAX_MEDIA_BYTES))}</p>
    case 'other':
      return <p className="text-ink-2">{text.notShown}</p>
    default:
      return <Media kind={file.kind} blob={file.blob} name={name} />
  }
}

function Media({ kind, blob, name }: { kind: 'image' | 'audio' | 'video'; blob: Blob; name: string }) {
  const text = useMessages(fileMessages)
  const [url, setUrl] = useState<string>()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (broken) return <p className="text-ink-2">{text.notShown}</p>
  if (url === undefined) return <Skeleton size="panel" />
  const shared = { src: url, onError: () => setBroken(true) }
  const label = text.contents(shownName(name))
  if (kind === 'image') return <img {...shared} alt={label} className="mx-auto max-h-112 max-w-full object-contain" />
  if (kind === 'audio') return <audio {...shared} controls aria-label={label} className="w-full" />
  return <video {...shared} controls aria-label={label} className="max-h-112 w-full" />
}
