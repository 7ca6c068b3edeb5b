import type { Workspace } from '@rackfair/sdk/workspace'
import { LockKeyhole } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import { toast } from '../../../ui/toastStore.ts'
import type { Tone } from '../../../ui/tone.ts'
import { joinPath, quotePath } from '../files/filePaths.ts'
import { listFolder } from '../files/fileRequests.ts'
import { transfersOf } from '../files/Transfers.ts'
import { useDrop } from '../files/useDrop.ts'
import { terminalMessages } from './messages.ts'
import { useScreenReader } from './screenReader.ts'
import { TerminalKeys } from './TerminalKeys.tsx'
import { type TerminalState, useTerminal } from './useTerminal.ts'

export interface TerminalPaneProps {
  workspace: Workspace
  number: number
  session: string | undefined
  isShown: boolean
  /** Ends the shell as soon as there is one to end, and says so. */
  isClosing: boolean
  onSession: (session: string | undefined) => void
  onState: (state: TerminalState['is']) => void
  onLeave: () => void
  onLocked: () => void
}

/** One terminal with its state below. Those that are not shown go on. */
export function TerminalPane(props: TerminalPaneProps) {
  const { workspace, number, session, isShown, isClosing, onSession, onState, onLeave, onLocked } = props
  const text = useMessages(terminalMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const showError = useErrorToast()
  const place = useRef<HTMLDivElement>(null)
  const label = text.input(text.name(format.number(number)))
  const screenReader = useScreenReader()
  const terminal = useTerminal({ workspace, place, label, screenReader, session, onSession, onLeave, anew: text.anew })
  const { state, size, focus, end } = terminal
  const drop = useDrop((files, others) => {
    if (others > 0) toast({ tone: 'bad', title: text.noFolders })
    for (const file of files) void send(file)
  })
  /** Uploads to the order's disk and inserts the path at the prompt, as when dropping a file on a local terminal. */
  const send = async (file: File) => {
    try {
      const path = joinPath(await dropFolder(workspace), file.name)
      toast({ tone: 'good', title: text.uploading(path) })
      if (await transfersOf(workspace).upload(path, file)) terminal.paste(`${quotePath(path)} `)
      else toast({ tone: 'bad', title: text.notUploaded(path), text: text.seeFiles })
    } catch (error) {
      showError(error, { title: text.notUploaded(file.name) })
    }
  }
  const isLocked = state.is === 'failed' && (state.error.code === 'key_revoked' || state.error.code === 'key_expired')
  useEffect(() => {
    if (isLocked) onLocked()
  }, [isLocked, onLocked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: who shows it may be made anew with each drawing
  useEffect(() => onState(state.is), [state.is])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is shown, and once when there is a shell
  useEffect(() => {
    if (isShown && state.is === 'open') focus()
  }, [isShown, state.is])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isClosing) end()
  }, [isClosing])
  return (
    <div hidden={!isShown} className="fills">
      <div className="fills relative" {...(state.is === 'open' ? drop.handlers : {})}>
        <div className="terminal-screen" data-away={state.is === 'open' ? undefined : ''}>
          <div ref={place} className="size-full" />
        </div>
        {drop.over && <div className="drop-here">{text.drop}</div>}
        {state.is === 'closed' && (
          <div className="terminal-over">
            <p>{text[state.why]}</p>
            <Button onClick={terminal.again}>{state.why === 'taken' ? text.takeBack : text.again}</Button>
          </div>
        )}
        {state.is === 'failed' && !isLocked && (
          <div className="terminal-over">
            <ErrorState title={text.failed} details={errorText(state.error).details} onRetry={terminal.again}>
              {errorText(state.error).full}
            </ErrorState>
          </div>
        )}
      </div>
      <TerminalKeys onKeys={terminal.type} onDone={focus} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-edge py-2 text-xs text-ink-3">
        <Standing state={state} />
        {size && <span className="num">{text.size(format.number(size.columns), format.number(size.rows))}</span>}
        <span className="max-sm:hidden">{text.keep}</span>
        <span className="ml-auto inline-flex items-center gap-1.5">
          <LockKeyhole aria-hidden className="size-3.5" />
          {text.sealed}
        </span>
      </div>
    </div>
  )
}

/** The first folder that the order keeps, or where every image lets one write. */
const dropFolder = async (workspace: Workspace): Promise<string> =>
  (await listFolder(workspace, undefined)).entries[0]?.name ?? '/tmp'

export const TERMINAL_TONES: Record<TerminalState['is'], Tone> = {
  ...{ opening: 'off', open: 'idle', lost: 'warn', closed: 'off', failed: 'bad' },
}

function Standing({ state }: { state: TerminalState }) {
  const text = useMessages(terminalMessages)
  const format = useFormat()
  const words = {
    opening: () => text.opening,
    open: () => text.open,
    lost: () => (state.is === 'lost' ? text.lostSince(format.clock(Math.floor(state.since / 1000))) : ''),
    closed: () => (state.is === 'closed' ? text[state.why] : ''),
    failed: () => text.failed,
  }
  return (
    <span role="status" className="inline-flex items-center gap-1.5">
      <StateShape tone={TERMINAL_TONES[state.is]} />
      {words[state.is]()}
    </span>
  )
}
