import { Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Card } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Combobox } from '../../ui/Combobox.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorDialog } from '../../ui/ErrorDialog.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Named } from '../../ui/Named.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { RangeSlider } from '../../ui/RangeSlider.tsx'
import { Section } from '../../ui/Section.tsx'
import { Select } from '../../ui/Select.tsx'
import { Slider } from '../../ui/Slider.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'

const VARIANTS = ['primary', 'outline', 'accent', 'quiet', 'danger'] as const

export function ControlParts() {
  return (
    <Section title="Controls">
      <Buttons />
      <Links />
      <Fields />
      <TabsCard />
    </Section>
  )
}

function Buttons() {
  return (
    <Card title="Buttons">
      <div className="flex flex-col gap-4">
        {(['sm', 'md', 'lg'] as const).map((size) => (
          <div key={size} className="flex flex-wrap items-start gap-2.5">
            {VARIANTS.map((variant) => (
              <Button key={variant} variant={variant} size={size}>
                {variant}
              </Button>
            ))}
            <Button variant="primary" size={size} pending>
              Creating order…
            </Button>
          </div>
        ))}
        <OtherButtons />
        <Dialogs />
      </div>
    </Card>
  )
}

function OtherButtons() {
  return (
    <div className="flex flex-wrap items-start gap-2.5">
      <Button variant="primary" disabledReason="Your balance is below the fee.">
        Create Order
      </Button>
      <Button reasonAs="tooltip" disabledReason="Sold until 3 January.">
        Buy
      </Button>
      <Button>
        <Named name="Unpledge">Take back</Named>
      </Button>
      <ButtonLink to="/status">Link</ButtonLink>
      <ButtonLink to="https://example.com">Elsewhere</ButtonLink>
      <Tooltip text="Explains one thing.">
        <Button>With a tooltip</Button>
      </Tooltip>
      <Menu
        items={[
          { key: 'price', label: 'By price', checked: true, onSelect: () => undefined },
          { key: 'extend', label: 'Extend', onSelect: () => undefined },
          { key: 'visit', label: 'Visit', disabled: true, onSelect: () => undefined },
          { key: 'cancel', label: 'Cancel…', danger: true, onSelect: () => undefined },
        ]}
      >
        <Button>Menu</Button>
      </Menu>
      <CopyButton value="0x9f00000000000000000000000000000000003c2a">Copy address</CopyButton>
      <Chip onRemove={() => undefined} removeLabel="Remove RTX 4090">
        RTX 4090
      </Chip>
    </div>
  )
}

function Dialogs() {
  const [failed, setFailed] = useState(false)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  return (
    <div className="flex flex-wrap items-start gap-2.5">
      <Button onClick={() => setOpen(true)}>Dialog</Button>
      <Button onClick={() => setBusy(true)}>Wide dialog</Button>
      <Button onClick={() => setAsking(true)}>Dialog with fields</Button>
      <Button onClick={() => setFailed(true)}>Error dialog</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Cancel the order?"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Keep it</Button>
            <Button variant="danger" onClick={() => setOpen(false)}>
              Cancel the order
            </Button>
          </>
        }
      >
        You get <span className="num">$750.81</span> back in the same transaction.
      </Dialog>
      {asking && (
        <FormDialog
          title="Send it elsewhere"
          cancel="Cancel"
          submit="Send"
          submitting={false}
          onSubmit={() => setAsking(false)}
          onClose={() => setAsking(false)}
        >
          <Field label="Address">
            <TextInput value="0x9f00000000000000000000000000000000003c2a" onChange={() => undefined} />
          </Field>
        </FormDialog>
      )}
      <Dialog
        wide
        dismissible={false}
        open={busy}
        onClose={() => setBusy(false)}
        title="Only its button closes it"
        footer={<Button onClick={() => setBusy(false)}>Close</Button>}
      >
        A wide one, for what must not be interrupted.
      </Dialog>
      {failed && (
        <ErrorDialog
          title="Create Order Error"
          text="The provider has changed this node since you saw its price."
          details="StaleNode(1, 2)"
          onClose={() => setFailed(false)}
        >
          <p>Nothing was paid. Look at the new price and try again.</p>
        </ErrorDialog>
      )}
    </div>
  )
}

function Links() {
  return (
    <Card title="Links">
      <div className="flex flex-wrap gap-4">
        <TextLink to="/status">Inside the app</TextLink>
        <TextLink to="/status" strong>
          helios-1
        </TextLink>
        <ExternalLink to="https://example.com">Elsewhere</ExternalLink>
      </div>
    </Card>
  )
}

function Fields() {
  const [text, setText] = useState('helios')
  return (
    <Card title="Fields">
      <div className="cols-cards">
        <Field label="Name" hint="As it stands in the list.">
          <TextInput value={text} onChange={setText} />
        </Field>
        <Field label="Port" error="A port is a number from 1 to 65535.">
          <NumberInput value="70700" onChange={() => undefined} decimals={false} />
        </Field>
        <Field label="CPU price" aside="median $39.00">
          <NumberInput value="43" onChange={() => undefined} unit="USD/month" />
        </Field>
        <Field label="Search" hideLabel>
          <TextInput
            value=""
            onChange={() => undefined}
            placeholder="Name, GPU or CPU"
            icon={<Search aria-hidden className="size-4" />}
          />
        </Field>
        <Field label="Disabled">
          <TextInput value="registered" onChange={() => undefined} disabled />
        </Field>
        <ChoiceFields />
        <RangeFields />
        <Toggles />
      </div>
    </Card>
  )
}

function ChoiceFields() {
  const [model, setModel] = useState('')
  const [memory, setMemory] = useState<'64' | '128'>('64')
  return (
    <>
      <Field label="Memory, at least">
        <Select
          value={memory}
          onChange={setMemory}
          mono
          options={[
            { value: '64', label: '64 GB' },
            { value: '128', label: '128 GB' },
          ]}
        />
      </Field>
      <Field label="Storage, at least" error="No machine has as much.">
        <Select value={memory} onChange={setMemory} mono options={[{ value: memory, label: '8 TB' }]} />
      </Field>
      <Field label="GPU model" hint="One of the list or anything else.">
        <Combobox
          value={model}
          onChange={setModel}
          options={[
            { value: 'RTX 4090', note: '$133' },
            { value: 'RTX 3090', note: '$118' },
          ]}
        />
      </Field>
    </>
  )
}

function RangeFields() {
  const [months, setMonths] = useState(3)
  const [price, setPrice] = useState({ low: 20, high: 70 })
  return (
    <>
      <Field label="Duration" hint="1 to 120 months">
        <Slider value={months} onChange={setMonths} min={1} max={120} marks={[1, 36, 120]} valueText={`${months} months`} />
      </Field>
      <Field label="Parameters">
        <TextArea value='{ "id": 12 }' onChange={() => undefined} mono rows={2} />
      </Field>
      <Field label="Price per month" hint={`$${price.low} to $${price.high}`}>
        <RangeSlider
          {...price}
          onChange={(low, high) => setPrice({ low, high })}
          min={0}
          max={100}
          lowLabel="Lowest price"
          highLabel="Highest price"
          valueText={(value) => `$${value}`}
        />
      </Field>
    </>
  )
}

function Toggles() {
  const [on, setOn] = useState(true)
  const [range, setRange] = useState<'24h' | '7d' | '30d'>('24h')
  return (
    <>
      <div>
        <Checkbox checked={on} onChange={setOn} aside="86">
          Free only
        </Checkbox>
        <Checkbox checked={!on} onChange={() => setOn(!on)}>
          Online only
        </Checkbox>
        <Checkbox checked onChange={() => undefined} disabled>
          Not to be changed
        </Checkbox>
        <Switch checked={on} onChange={setOn}>
          Offered to buyers
        </Switch>
        <Switch checked={false} onChange={() => undefined} disabled>
          Not registered yet
        </Switch>
      </div>
      <Choice
        label="Range"
        value={range}
        onChange={setRange}
        options={[
          { value: '24h', label: '24 h' },
          { value: '7d', label: '7 d' },
          { value: '30d', label: '30 d' },
        ]}
      />
    </>
  )
}

function TabsCard() {
  const [tab, setTab] = useState<'logs' | 'events'>('logs')
  return (
    <Card flush>
      <div className="px-5 pb-5">
        <Tabs
          label="Order"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'logs', label: 'Logs', content: <p className="num text-xs">14:00:02 info Model loaded</p> },
            { value: 'events', label: 'Events', content: <p>Created and paid</p> },
          ]}
        />
      </div>
    </Card>
  )
}
