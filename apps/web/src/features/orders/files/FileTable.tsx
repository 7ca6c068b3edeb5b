import type { FileEntry } from '@rackfair/sdk/workspace'
import { Ellipsis, File, Folder, Link2, Plug } from 'lucide-react'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { Table } from '../../../ui/Table.tsx'
import { lookalikes, shownName } from './filePaths.ts'
import { fileSize } from './fileSize.ts'
import { fileMessages } from './messages.ts'

const ICONS = { file: File, folder: Folder, link: Link2, other: Plug }
const PAGE_ROWS = 200

export interface FileTableProps {
  path: string
  entries: readonly FileEntry[]
  loading: boolean
  /** Of the disk: the folders stay as they are. */
  fixed: boolean
  onOpen: (entry: FileEntry) => void
  onDownload: (entry: FileEntry) => void
  onDialog: (dialog: 'rename' | 'remove', entry: FileEntry) => void
}

/** What is in a folder, and what can be done with it. */
export function FileTable({ path, entries, loading, fixed, onOpen, onDownload, onDialog }: FileTableProps) {
  const text = useMessages(fileMessages)
  const format = useFormat()
  const [rows, setRows] = useState(PAGE_ROWS)
  const alike = lookalikes(entries.map(({ name }) => name))
  return (
    <div className="px-edge pb-2">
      <Table
        caption={text.caption(shownName(path))}
        rows={entries.slice(0, rows)}
        rowKey={({ name }) => name}
        {...(loading ? { loadingRows: 6 } : {})}
        columns={[
          {
            key: 'name',
            title: text.name,
            head: true,
            cell: (entry) => {
              const Icon = ICONS[entry.type]
              const name = shownName(entry.name)
              return (
                <span className="flex min-w-0 items-center gap-2.5">
                  <Icon role="img" aria-label={text.types[entry.type]} className="size-4 shrink-0 text-ink-3" />
                  {entry.type === 'folder' || entry.type === 'file' ? (
                    <button
                      type="button"
                      className="num min-w-0 truncate underline decoration-line-2 underline-offset-4 hover:decoration-ink"
                      title={name}
                      onClick={() => onOpen(entry)}
                    >
                      {name}
                    </button>
                  ) : (
                    <span className="num min-w-0 truncate" title={name}>
                      {name}
                    </span>
                  )}
                  {alike.has(entry.name) && (
                    <span title={text.decomposedWhat} className="shrink-0 text-xs text-warn">
                      {text.decomposed}
                    </span>
                  )}
                </span>
              )
            },
          },
          {
            key: 'size',
            title: text.size,
            numeric: true,
            cell: ({ type, size }) => (type === 'file' ? fileSize(format, size) : ''),
          },
          {
            key: 'modified',
            title: text.modified,
            numeric: true,
            cell: ({ modified }) => (modified > 0 ? format.dateTime(modified) : ''),
          },
          {
            key: 'actions',
            title: text.actions,
            actions: true,
            cell: (entry) =>
              entry.type !== 'other' && (
                <Menu
                  items={[
                    {
                      key: 'download',
                      label: entry.type === 'folder' ? text.downloadTar : text.download,
                      onSelect: () => onDownload(entry),
                    },
                    ...(fixed
                      ? []
                      : [
                          { key: 'rename', label: text.rename, onSelect: () => onDialog('rename', entry) },
                          { key: 'remove', label: text.remove, danger: true, onSelect: () => onDialog('remove', entry) },
                        ]),
                  ]}
                >
                  <Button
                    size="sm"
                    variant="quiet"
                    aria-label={text.more(shownName(entry.name))}
                    icon={<Ellipsis aria-hidden className="size-4" />}
                  />
                </Menu>
              ),
          },
        ]}
      />
      {rows < entries.length && <LoadMore pending={false} onLoad={() => setRows(rows + PAGE_ROWS)} />}
    </div>
  )
}
