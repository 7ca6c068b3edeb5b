import { useCallback, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { CallPanel } from './CallPanel.tsx'
import type { HistoryEntry } from './callHistory.ts'
import { type ConsoleFunction, findFunction } from './consoleFunctions.ts'
import { consoleQuery } from './consoleUrl.ts'
import { FunctionList } from './FunctionList.tsx'
import { HistoryCard } from './HistoryCard.tsx'
import { consoleMessages } from './messages.ts'

/** Every function of the five contracts, to read, try and send. The call stands in the address, so it can be shared. */
export function ConsoleScreen() {
  const text = useMessages(consoleMessages)
  const [params, setParams] = useSearchParams()
  const [opened, setOpened] = useState(0)
  const name = params.get('function') ?? undefined
  const contract = params.get('contract') ?? undefined
  const entry = findFunction(contract, name)
  const keepArgs = useCallback((query: string) => setParams(query, { replace: true }), [setParams])

  const choose = (chosen: ConsoleFunction) => {
    setParams(consoleQuery(chosen, ''))
    setOpened((count) => count + 1)
  }
  const openAgain = (call: HistoryEntry) => {
    const found = findFunction(call.contract, call.name)
    if (!found) return
    setParams(consoleQuery(found, call.argsText))
    setOpened((count) => count + 1)
  }

  return (
    <Page>
      <PageTitle title={text.title} lead={text.lead} />
      <div className="cols-dialog gap-6">
        <FunctionList chosen={entry} onChoose={choose} />
        {entry ? (
          <CallPanel
            key={`${entry.contract}.${entry.name} ${opened}`}
            entry={entry}
            chosen={opened > 0}
            args={params.get('args') ?? undefined}
            onArgs={keepArgs}
          />
        ) : (
          <EmptyState title={name === undefined ? text.choose : text.unknownFunction(`${contract ?? ''}.${name}`)}>
            {text.chooseText}
          </EmptyState>
        )}
      </div>
      <HistoryCard onOpen={openAgain} />
    </Page>
  )
}
