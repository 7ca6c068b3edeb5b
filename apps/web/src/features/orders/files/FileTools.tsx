import { FolderPlus, RefreshCw, Upload } from 'lucide-react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { nameOf, shownName, trailOf } from './filePaths.ts'
import { fileMessages } from './messages.ts'

export interface FileToolsProps {
  /** Undefined for the list of the disk's folders. */
  path: string | undefined
  busy: boolean
  onGo: (path: string | undefined) => void
  onUpload: () => void
  onNewFolder: () => void
  onRefresh: () => void
}

/** Where one is, and what can be done there. */
export function FileTools({ path, busy, onGo, onUpload, onNewFolder, onRefresh }: FileToolsProps) {
  const text = useMessages(fileMessages)
  const trail = path === undefined ? [] : trailOf(path)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2.5 pr-3 pl-edge">
      <nav aria-label={text.trail} className="min-w-0 flex-1">
        <ol className="num flex flex-wrap items-center gap-x-1.5 text-sm">
          <li>
            <Place isHere={path === undefined} onGo={() => onGo(undefined)}>
              {text.disk}
            </Place>
          </li>
          {trail.map((place) => (
            <li key={place} className="flex min-w-0 items-center gap-1.5">
              <span aria-hidden className="text-ink-3">
                ›
              </span>
              <Place isHere={place === trail.at(-1)} onGo={() => onGo(place)}>
                {shownName(nameOf(place))}
              </Place>
            </li>
          ))}
          {path === undefined && (
            <li className="ml-2">
              <Place isHere={false} onGo={() => onGo('/')}>
                {text.whole}
              </Place>
            </li>
          )}
        </ol>
      </nav>
      <span className="ml-auto flex items-center gap-1">
        {path !== undefined && (
          <>
            <Button size="sm" icon={<Upload aria-hidden className="size-3.5" />} onClick={onUpload}>
              {text.upload}
            </Button>
            <Button
              size="sm"
              variant="quiet"
              aria-label={text.newFolder}
              title={text.newFolder}
              icon={<FolderPlus aria-hidden className="size-4" />}
              onClick={onNewFolder}
            />
          </>
        )}
        <Button
          size="sm"
          variant="quiet"
          aria-label={text.refresh}
          title={text.refresh}
          pending={busy}
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={onRefresh}
        />
      </span>
    </div>
  )
}

function Place({ isHere, onGo, children }: { isHere: boolean; onGo: () => void; children: string }) {
  if (isHere)
    return (
      <span aria-current="page" className="truncate text-ink" title={children}>
        {children}
      </span>
    )
  return (
    <button
      type="button"
      onClick={onGo}
      title={children}
      className="truncate text-ink-2 underline decoration-line-2 underline-offset-4 hover:text-ink"
    >
      {children}
    </button>
  )
}
