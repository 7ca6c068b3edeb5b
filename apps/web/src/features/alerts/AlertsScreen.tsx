import { type CreatedAlert, readAlerts } from '@rackfair/sdk/http'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useParam } from '../../platform/browser/searchParams.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Card } from '../../ui/Card.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet, useAccountState } from '../../wallet/index.ts'
import { AlertRow } from './AlertRow.tsx'
import { MadeNotice } from './MadeNotice.tsx'
import { MailLink } from './MailLink.tsx'
import { alertMessages } from './messages.ts'
import { NewAlert } from './NewAlert.tsx'

/** `/alerts`; with `?confirm=TOKEN` or `?unsubscribe=TOKEN` the end of a mail's link, which needs no wallet. */
export function AlertsScreen() {
  const text = useMessages(alertMessages)
  const confirm = useParam('confirm')
  const unsubscribe = useParam('unsubscribe')
  const token = confirm ?? unsubscribe
  return (
    <Page>
      <PageTitle title={text.title} lead={text.intro} trail={[{ label: text.back, to: '/myspace' }, { label: text.title }]} />
      {token === undefined ? (
        <RequireWallet>
          <OwnAlerts />
        </RequireWallet>
      ) : (
        <MailLink key={token} token={token} action={confirm === undefined ? 'unsubscribe' : 'confirm'} />
      )}
    </Page>
  )
}

function OwnAlerts() {
  const text = useMessages(alertMessages)
  const errorText = useErrorText()
  const account = useAccountState().lowerCase ?? ''
  const client = useQueryClient()
  const [made, setMade] = useState<CreatedAlert>()
  const queryKey = ['alerts', account]
  const alerts = useQuery({ queryKey, queryFn: () => api.alerts(), select: readAlerts, refetchInterval: 15_000 })
  const reread = () => client.invalidateQueries({ queryKey })
  return (
    <Loaded
      strict
      query={alerts}
      failed={text.unread}
      safe={text.unreadText}
      details={(error) => errorText(error).details}
      skeleton={
        <>
          <Skeleton size="panel" />
          <Skeleton size="panel" />
        </>
      }
    >
      {({ mail, alerts: rules }) => (
        <>
          <NewAlert
            hasMail={mail}
            onMade={(created) => {
              setMade(created)
              void reread()
            }}
          />
          {made && <MadeNotice made={made} />}
          <Card title={text.list}>
            {rules.length === 0 ? (
              <p className="text-ink-2">
                <strong className="font-medium text-ink">{text.none}.</strong> {text.noneText}
              </p>
            ) : (
              <ul className="divide-y divide-line">
                {rules.map((alert) => (
                  <AlertRow key={alert.id} alert={alert} onChange={reread} />
                ))}
              </ul>
            )}
          </Card>
        </>
      )}
    </Loaded>
  )
}
