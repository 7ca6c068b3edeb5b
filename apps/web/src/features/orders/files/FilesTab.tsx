import type { FileEntry } from '@rackfair/sdk/workspace'
import { changeFiles, toWorkspaceError } from '@rackfair/sdk/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { toast } from '../../../ui/toastStore.ts'
import type { WorkspaceTabProps } from '../page/WorkspaceGate.tsx'
import { chooseDestination } from './destination.ts'
import { type FileDialog, FileDialogs } from './FileDialogs.tsx'
import { FileTable } from './FileTable.tsx'
import { FileTools } from './FileTools.tsx'
import { FileViewer } from './FileViewer.tsx'
import { joinPath, nameOf, readPath, shownName } from './filePaths.ts'
import { listFolder, MAX_ENTRIES } from './fileRequests.ts'
import { fileSize } from './fileSize.ts'
import { fileMessages } from './messages.ts'
import { TransferList } from './TransferList.tsx'
import { transfersOf } from './Transfers.ts'
import { useDrop } from './useDrop.ts'

/** The files of the order's disk, and of the container around it, with the rights of the application's user. */
export function FilesTab({ order, workspace, service = '', lock }: WorkspaceTabProps) {
  const text = useMessages(fileMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const [params, setParams] = useSearchParams()
  const path = readPath(params.get('path'))
  const [dialog, setDialog] = useState<FileDialog>()
  const [viewed, setViewed] = useState<FileEntry>()
  const queries = useQueryClient()
  const picker = useRef<HTMLInputElement>(null)
  const transfers = transfersOf(workspace)
  const list = useSyncExternalStore(transfers.subscribe, transfers.read)
  const folder = useQuery({
    queryKey: ['workspace', order.id, 'files', service, path ?? ''],
    queryFn: () => listFolder(workspace, path),
    staleTime: 0,
    meta: { live: ['platform'] },
  })
  const goTo = (next: string | undefined, replace = false) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (next === undefined) after.delete('path')
        else after.set('path', next)
        return after
      },
      { replace },
    )
  // A disk of one folder is that folder.
  const only = path === undefined && folder.data?.entries.length === 1 ? folder.data.entries[0]?.name : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each
  useEffect(() => {
    if (only !== undefined) goTo(only, true)
  }, [only])
  const error = folder.error ? toWorkspaceError(folder.error) : undefined
  const isLocked = error?.code === 'key_revoked' || error?.code === 'key_expired'
  useEffect(() => {
    if (isLocked) lock()
  }, [isLocked, lock])

  /** The folder may have been left by then; it is read again where it is shown. */
  const readAfter = async (done: Promise<boolean>) => {
    if (await done) await queries.invalidateQueries({ queryKey: ['workspace', order.id, 'files'] })
  }
  const save = async (to: string, text: string) => {
    const done = transfers.upload(to, new Blob([text]), true)
    await readAfter(done)
    return done
  }
  const upload = (chosen: readonly File[]) => {
    if (path === undefined) return
    for (const file of chosen) void readAfter(transfers.upload(joinPath(path, file.name), file))
  }
  const drop = useDrop((chosen, others) => {
    if (others > 0) toast({ tone: 'bad', title: text.noFolders })
    upload(chosen)
  })
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    upload([...(target.files ?? [])])
    target.value = ''
  }
  // Of the disk's own folders, the names are whole paths.
  const pathOf = ({ name }: FileEntry) => (path === undefined ? name : joinPath(path, name))
  const download = async (entry: FileEntry) => {
    const from = pathOf(entry)
    const destination = await chooseDestination(`${nameOf(from)}${entry.type === 'folder' ? '.tar' : ''}`)
    if (destination) void transfers.download(from, destination)
  }
  const isEmpty = folder.data?.entries.length === 0
  return (
    <div className="fills relative" {...(path === undefined ? {} : drop.handlers)}>
      <FileTools
        path={path}
        busy={folder.isFetching}
        onGo={goTo}
        onUpload={() => picker.current?.click()}
        onNewFolder={() => setDialog({ is: 'newFolder' })}
        onRefresh={() => void folder.refetch()}
      />
      {path !== undefined && <input ref={picker} type="file" multiple hidden onChange={pick} aria-label={text.upload} />}
      {error && !isLocked ? (
        <div className="p-5">
          <ErrorState
            title={text.failed}
            details={errorText(error).details}
            onRetry={() => void folder.refetch()}
            retrying={folder.isFetching}
            action={path !== undefined && <Button onClick={() => goTo(undefined)}>{text.disk}</Button>}
          >
            {errorText(error).full}
          </ErrorState>
        </div>
      ) : isEmpty ? (
        <div className="flex flex-col items-center gap-3 px-6 py-16 text-center text-ink-2">
          <p>{path === undefined ? text.emptyDisk : text.empty}</p>
          {path === undefined && <Button onClick={() => goTo('/')}>{text.whole}</Button>}
        </div>
      ) : (
        <FileTable
          key={path}
          path={path ?? text.disk}
          entries={folder.data?.entries ?? []}
          loading={folder.isPending || only !== undefined}
          fixed={path === undefined}
          onOpen={(entry) => (entry.type === 'folder' ? goTo(pathOf(entry)) : setViewed(entry))}
          onDownload={(entry) => void download(entry)}
          onDialog={(is, entry) => setDialog({ is, entry })}
        />
      )}
      <TransferList
        transfers={list}
        onRemove={(id) => transfers.remove(id)}
        onClearDone={() => transfers.removeDone()}
        onReplace={(id) => void readAfter(transfers.replace(id))}
      />
      <div className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-edge py-2 text-xs text-ink-3">
        {folder.data && <span>{text.count(folder.data.entries.length)}</span>}
        {folder.data?.isCut && <span>{text.cut(format.number(MAX_ENTRIES))}</span>}
        {folder.data?.space && (
          <span className="num">
            {text.free(fileSize(format, folder.data.space.freeBytes), fileSize(format, folder.data.space.sizeBytes))}
          </span>
        )}
        {path !== undefined && <span className="max-sm:hidden">{text.dropNote}</span>}
        <span className="ml-auto inline-flex items-center gap-1.5">
          <LockKeyhole aria-hidden className="size-3.5" />
          {text.sealed}
        </span>
      </div>
      {drop.over && path !== undefined && <div className="drop-here">{text.drop(shownName(path))}</div>}
      {viewed && (
        <FileViewer
          workspace={workspace}
          path={pathOf(viewed)}
          onClose={() => setViewed(undefined)}
          onDownload={() => void download(viewed)}
          onSave={(text) => save(pathOf(viewed), text)}
        />
      )}
      {dialog && (
        <FileDialogs
          dialog={dialog}
          folder={path ?? '/'}
          onClose={() => setDialog(undefined)}
          onChange={async (request) => {
            await changeFiles(workspace, request)
            await folder.refetch()
          }}
        />
      )}
    </div>
  )
}
