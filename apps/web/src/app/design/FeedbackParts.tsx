import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyBay } from '../../ui/EmptyBay.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Section.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Steps } from '../../ui/Steps.tsx'
import { DEPLOY_NOTICE_MS, NOTICE_MS, toast } from '../../ui/toastStore.ts'

const READ: Parameters<typeof Loaded<string>>[0]['query'] = {
  ...{ data: '12 machines', error: null, isFetching: false, refetch: () => undefined },
}
const FAILED = { ...READ, data: undefined, error: new Error('the platform does not answer') }

export function FeedbackParts() {
  return (
    <Section title="Feedback">
      <div className="cols-cards">
        <StepsCard />
        <ReadCard />
        <ToastsCard />
        <Card title="Loading">
          <div className="flex flex-col gap-3">
            <Skeleton narrow />
            <Skeleton />
            <Skeleton size="line" />
            <Skeleton size="row" />
            <Skeleton size="card" />
            <span className="flex gap-4">
              <Spinner /> <Spinner large />
            </span>
          </div>
        </Card>
      </div>
      <div className="cols-cards">
        <Skeleton size="panel" />
        <Skeleton size="page" />
      </div>
      <Notice title="Info">Your order waits for the provider; cancel returns everything.</Notice>
      <Notice tone="good">Create Order Submit Success</Notice>
      <Notice tone="warn" title="Expires in 3 days" actions={<Button size="sm">Extend</Button>}>
        Extend before 31 January, or the data is deleted.
      </Notice>
      <Notice tone="bad" title="The node is offline since 13:21">
        You can cancel and get <span className="num">$750.81</span> back.
      </Notice>
      <EmptyBay />
      <EmptyState title="No orders yet" action={<ButtonLink to="/nodelist">See the machines</ButtonLink>}>
        What you rent appears here with its time and its money.
      </EmptyState>
      <ErrorState
        title="The orders could not be read"
        details="platform_unreachable: No answer from /v1/user"
        onRetry={() => undefined}
      >
        They are on the chain and safe. Try again in a moment.
      </ErrorState>
    </Section>
  )
}

function StepsCard() {
  return (
    <Card title="Steps">
      <Steps
        label="Payment"
        steps={[
          { key: 'price', title: 'Price confirmed', state: 'done', aside: 'now' },
          { key: 'wait', title: 'Waiting for the transaction', state: 'now', aside: '0x90…5fe3' },
          { key: 'order', title: 'Order created', state: 'next' },
          { key: 'failed', title: 'Starting', state: 'failed', detail: 'The application stopped while starting.' },
        ]}
      />
      <Steps
        across
        label="Wizard"
        steps={[
          { key: '1', title: 'Registering a Provider', state: 'done' },
          { key: '2', title: 'Adding Nodes', state: 'now' },
          { key: '3', title: 'Pledge', state: 'next' },
        ]}
      />
    </Card>
  )
}

function ReadCard() {
  return (
    <Card title="What is read">
      <Loaded query={READ} failed="Prices cannot be read." skeleton={<Skeleton />}>
        {(data) => <p>{data}</p>}
      </Loaded>
      <Loaded query={{ ...READ, data: undefined }} failed="Prices cannot be read." skeleton={<Skeleton />}>
        {(data) => <p>{data}</p>}
      </Loaded>
      <Loaded
        query={FAILED}
        missing={{ title: 'No such machine', text: 'It may have been removed.', to: '/nodelist', label: 'See the machines' }}
        failed="Prices cannot be read."
        skeleton={<Skeleton />}
      >
        {(data) => <p>{data}</p>}
      </Loaded>
      <Loaded line query={FAILED} failed="Prices cannot be read." skeleton={<Skeleton />}>
        {(data) => <p>{data}</p>}
      </Loaded>
    </Card>
  )
}

function ToastsCard() {
  return (
    <Card title="Toasts">
      <div className="flex flex-wrap gap-2.5">
        <Button onClick={() => toast({ tone: 'good', title: 'Create Order Submit Success' })}>7 s</Button>
        <Button
          onClick={() =>
            toast({
              tone: 'good',
              title: 'Waiting for the transaction',
              text: 'It takes about a minute.',
              timeout: NOTICE_MS,
            })
          }
        >
          15 s
        </Button>
        <Button onClick={() => toast({ tone: 'good', title: 'Deploying…', timeout: DEPLOY_NOTICE_MS })}>20 s</Button>
        <Button
          onClick={() =>
            toast({
              tone: 'bad',
              title: 'Error Message',
              text: 'The provider has changed this node…',
              details: 'StaleNode(1, 2)',
            })
          }
        >
          Error
        </Button>
      </div>
    </Card>
  )
}
