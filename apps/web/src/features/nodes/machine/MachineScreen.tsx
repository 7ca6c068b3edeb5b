import type { NodeOffer } from '@rackfair/rules/node/node'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { useQuery } from '@tanstack/react-query'
import { TrustLine } from '../../../entities/node/trust/TrustLine.tsx'
import { useNamedNode } from '../../../entities/node/useNamedNode.ts'
import { OversoldNotice } from '../../../entities/provider/oversold/OversoldNotice.tsx'
import { providerQuery } from '../../../entities/provider/queries.ts'
import { useTakesText } from '../../../entities/provider/takes/useTakesText.ts'
import { SampleMark } from '../../../entities/sample/SampleMark.tsx'
import { SampleNotice } from '../../../entities/sample/SampleNotice.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useParam } from '../../../platform/browser/searchParams.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { FactGrid } from '../../../ui/FactGrid.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { useAccountState } from '../../../wallet/index.ts'
import { along, purchasePath } from '../machinePath.ts'
import { nodeMessages } from '../messages.ts'
import { Elsewhere } from './Elsewhere.tsx'
import { MachineFront } from './MachineFront.tsx'
import { MachinePrice } from './MachinePrice.tsx'
import { MachineRuns } from './MachineRuns.tsx'

/** `/machine?provider=&node=`: what somebody asks of one machine, in the order of the questions. */
export function MachineScreen() {
  const text = useMessages(nodeMessages)
  const { query, key, isMissing } = useNamedNode()
  const node = query.data
  return (
    <Page>
      <PageTitle
        title={node?.name ?? text.machine.title}
        trail={[{ label: text.machine.rent, to: '/nodelist' }, { label: node?.name ?? text.machine.title }]}
        badges={node && <StateBadge node={node} />}
        lead={node && <Lead node={node} />}
      />
      <Loaded
        query={query}
        failed={text.machine.failedTitle}
        safe={text.failedText}
        missing={
          isMissing && { title: text.machine.missingTitle, text: text.machine.missingText, to: '/nodelist', label: text.others }
        }
        skeleton={
          <div className="cols-pay">
            <Skeleton size="panel" />
            <Skeleton size="panel" />
          </div>
        }
      >
        {(node) => <Machine key={key} node={node} />}
      </Loaded>
    </Page>
  )
}

function StateBadge({ node }: { node: NodeOffer }) {
  const text = useMessages(nodeMessages)
  return (
    <>
      {!node.online ? (
        <Badge tone="off" dot>
          {text.offline}
        </Badge>
      ) : node.sold ? (
        <Badge tone="run" dot>
          {text.machine.rented}
        </Badge>
      ) : (
        <Badge tone="idle" dot>
          {text.machine.free}
        </Badge>
      )}
      <SampleMark of={node} />
    </>
  )
}

function Lead({ node }: { node: NodeOffer }) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const hardware = node.gpu.count > 0 ? text.gpu(node.gpu.count, node.gpu.model) : text.coreCount(node.cpu.count * node.cpu.cores)
  return (
    <>
      {hardware}
      {node.region !== undefined && ` ${text.machine.in(format.country(node.region))}`} · {text.machine.from}{' '}
      <TextLink to={`/providerdetail?address=${node.provider}`}>{node.providerName}</TextLink>
    </>
  )
}

function Machine({ node }: { node: NodeOffer }) {
  const user = useAccountState().lowerCase
  const now = useNow(30_000)
  const takes = useQuery(providerQuery(node.provider)).data?.takes
  const written = useParam('for') ?? ''
  const text = useMessages(nodeMessages).machine
  const format = useFormat()
  const facts = [
    ...(node.region === undefined ? [] : [{ term: text.country(node.providerName), value: format.country(node.region) }]),
    ...(node.driver === undefined ? [] : [{ term: text.driver, value: node.driver }]),
    ...useTakesText(takes).facts,
  ]
  const lockedWei = node.penalty === undefined ? undefined : accruedWei(node.ratePerMonthWei, node.penalty)
  return (
    <div className="cols-pay">
      <div className="flex min-w-0 flex-col gap-4">
        <SampleNotice of={node} />
        <OversoldNotice parts={node.oversold} />
        <div className="overflow-hidden rounded-lg border border-line bg-raised">
          <MachineFront node={node} />
          {facts.length > 0 && (
            <div className="border-t border-line px-5 py-4">
              <FactGrid facts={facts} />
            </div>
          )}
        </div>
        <TrustLine node={node} lockedWei={lockedWei} />
        <div className="flex flex-col gap-8 pt-4">
          <MachineRuns node={node} to={(run) => purchasePath(node, along(run, written))} />
          <Elsewhere node={node} now={now} />
        </div>
      </div>
      <div className="sticky-panel">
        <MachinePrice
          node={node}
          blocker={checkoutBlocker({ machine: node }, { address: user }, { now, penalty: node.penalty })}
          now={now}
        />
      </div>
    </div>
  )
}
