import { createPurseCall } from '@rackfair/sdk'
import { useQuery } from '@tanstack/react-query'
import { WriteStatus } from '../../entities/provider/WriteStatus.tsx'
import { type OwnPurse, ownPurseQuery } from '../../entities/purse/queries.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet, useAccountState, useMarket, useTransaction } from '../../wallet/index.ts'
import { keyMessages } from './messages.ts'
import { Purse } from './Purse.tsx'

/** `/keys` */
export function KeysScreen() {
  const text = useMessages(keyMessages)
  return (
    <Page>
      <PageTitle title={text.title} lead={text.lead} trail={[{ label: text.myOrders, to: '/myspace' }, { label: text.title }]} />
      <RequireWallet>
        <Own />
      </RequireWallet>
    </Page>
  )
}

function Own() {
  const text = useMessages(keyMessages)
  const { address } = useAccountState()
  const market = useMarket()
  const query = useQuery(ownPurseQuery(market.status === 'ready' ? market.market : undefined, address))
  const failed =
    market.status === 'failed' ? { data: undefined, error: market.error, isFetching: false, refetch: market.retry } : query
  return (
    <Loaded
      query={failed}
      failed={text.unread}
      safe={text.unreadSafe}
      missing={query.data === null && { title: text.noneTitle, text: text.noneText, to: '/nodelist', label: text.machines }}
      skeleton={
        <>
          <Skeleton size="figures" />
          <Skeleton size="panel" />
        </>
      }
    >
      {(purse) =>
        purse &&
        (purse.view ? <Purse key={purse.address} address={purse.address} view={purse.view} /> : <NoPurse purse={purse} />)
      }
    </Loaded>
  )
}

function NoPurse({ purse }: { purse: OwnPurse }) {
  const text = useMessages(keyMessages)
  const { address } = useAccountState()
  const { state, busy, send } = useTransaction()
  const make = () =>
    address && send(createPurseCall(purse.factory, address), { description: text.describeMake, success: { title: text.made } })
  return (
    <EmptyState
      title={text.makeTitle}
      action={
        <>
          <Button variant="primary" pending={busy} onClick={() => void make()}>
            {text.make}
          </Button>
          <WriteStatus state={state} />
        </>
      }
    >
      {text.makeText}
    </EmptyState>
  )
}
