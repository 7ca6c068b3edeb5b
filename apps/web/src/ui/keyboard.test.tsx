import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Button } from './Button.tsx'
import { Choice } from './Choice.tsx'
import { Combobox } from './Combobox.tsx'
import { Dialog } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { Menu } from './Menu.tsx'
import { RangeSlider } from './RangeSlider.tsx'
import { Tabs } from './Tabs.tsx'
import { TextInput } from './TextInput.tsx'
import { TimeSeries } from './TimeSeries.tsx'

test('select with free input: arrows navigate, Enter selects, Escape closes, anything may be typed', () => {
  render(<Model />)
  const field = screen.getByRole('combobox', { name: 'GPU model' })
  for (const key of ['ArrowDown', 'ArrowDown']) fireEvent.keyDown(field, { key })
  expect(field.getAttribute('aria-expanded')).toBe('true')
  expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain('RTX 3090')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(typedIn(field)).toBe('RTX 3090')
  expect(field.getAttribute('aria-expanded')).toBe('false')
  fireEvent.keyDown(field, { key: 'ArrowUp' })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(field.getAttribute('aria-expanded')).toBe('false')
  fireEvent.change(field, { target: { value: 'My own card' } })
  expect(typedIn(field)).toBe('My own card')
})

test('select with free input: Enter takes the only suggestion or the marked one, else nothing, and sends no form', () => {
  const send = vi.fn()
  render(
    <form onSubmit={send}>
      <Model />
    </form>,
  )
  const field = screen.getByRole('combobox', { name: 'GPU model' })
  // False where the browser's own answer to the key, to send the form, was prevented.
  const enter = (init = {}) => fireEvent.keyDown(field, { key: 'Enter', ...init })
  fireEvent.change(field, { target: { value: '4090' } })
  expect(enter({ isComposing: true })).toBe(true)
  expect([enter(), typedIn(field)]).toEqual([false, 'RTX 4090'])
  fireEvent.change(field, { target: { value: 'rtx' } })
  expect([enter(), typedIn(field), field.getAttribute('aria-expanded')]).toEqual([false, 'rtx', 'true'])
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  expect([enter(), typedIn(field)]).toEqual([false, 'RTX 4090'])
  expect(send).not.toHaveBeenCalled()
})

test('no form that the wallet signs is sent by Enter in a field', () => {
  const files = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true })
  const signs = /useTransaction|useDeployRequest|onDeploy|signMessage/
  const forms = Object.entries(files).filter(([, code]) => /<form\b|type="submit"/.test(code))
  expect(forms.length).toBeGreaterThan(2)
  expect(forms.filter(([, code]) => signs.test(code)).map(([file]) => file)).toEqual([])
})

test('dialog: focuses the button of the next step, not the cross', () => {
  render(
    <Dialog open onClose={vi.fn()} title="Create Order Submit Success" footer={<Button data-start>Deploy an application</Button>}>
      <p>Order 12</p>
    </Dialog>,
  )
  expect(document.activeElement?.textContent).toBe('Deploy an application')
})

test('tabs: arrows navigate', async () => {
  render(<Orders />)
  const first = screen.getByRole('tab', { name: 'Logs' })
  first.focus()
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  expect((await screen.findByRole('tab', { name: 'Events', selected: true })).textContent).toBe('Events')
  expect(screen.getByRole('tabpanel').textContent).toBe('Created and paid')
})

test('menu: opens by keyboard, and runs the selected item', async () => {
  const extend = vi.fn()
  render(
    <Menu items={[{ key: 'extend', label: 'Extend', onSelect: extend }]}>
      <Button>More</Button>
    </Menu>,
  )
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' })
  const item = await screen.findByRole('menuitem', { name: 'Extend' })
  fireEvent.keyDown(item, { key: 'Enter' })
  expect(extend).toHaveBeenCalledOnce()
})

test('choice: a named group of radio buttons', () => {
  const change = vi.fn()
  const options = [
    { value: '24h', label: '24 h' },
    { value: '7d', label: '7 d' },
  ]
  render(<Choice label="Range" value="24h" onChange={change} options={options} />)
  expect(screen.getByRole('group', { name: 'Range' })).toBeDefined()
  fireEvent.click(screen.getByRole('radio', { name: '7 d' }))
  expect(change).toHaveBeenCalledWith('7d')
})

test('range: the two thumbs never cross', () => {
  const change = vi.fn()
  render(
    <RangeSlider
      low={20}
      high={40}
      min={0}
      max={100}
      onChange={change}
      lowLabel="Lowest"
      highLabel="Highest"
      valueText={(value) => `$${value}`}
    />,
  )
  const low = screen.getByRole('slider', { name: 'Lowest' })
  expect(low.getAttribute('aria-valuetext')).toBe('$20')
  fireEvent.change(low, { target: { value: '70' } })
  expect(change).toHaveBeenLastCalledWith(39, 40)
  fireEvent.change(screen.getByRole('slider', { name: 'Highest' }), { target: { value: '3' } })
  expect(change).toHaveBeenLastCalledWith(20, 21)
})

test('chart: arrows read it point by point', () => {
  render(<TimeSeries label="Machines" times={[100, 200, 300]} series={[{ name: 'Used', tone: 'run', values: [4, null, 6] }]} />)
  const chart = screen.getByRole('slider', { name: 'Machines' })
  expect(chart.getAttribute('aria-valuetext')).toContain('Used 6')
  fireEvent.keyDown(chart, { key: 'ArrowLeft' })
  expect(chart.getAttribute('aria-valuetext')).toContain('Used –')
  for (const key of ['ArrowLeft', 'ArrowLeft']) fireEvent.keyDown(chart, { key })
  expect(chart.getAttribute('aria-valuetext')).toContain('Used 4')
})

test('disabled button: stays focusable and explains itself', () => {
  const press = vi.fn()
  render(
    <Button onClick={press} disabledReason="Your balance is below the fee.">
      Create Order
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Create Order' })
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toContain('below the fee')
  button.focus()
  expect(document.activeElement).toBe(button)
  fireEvent.click(button)
  expect(press).not.toHaveBeenCalled()
})

test('field: labels its input, with hint and error', () => {
  render(
    <Field label="Port" hint="As registered." error="A port is a number from 1 to 65535.">
      <TextInput value="x" onChange={() => undefined} />
    </Field>,
  )
  const input = screen.getByRole('textbox', { name: 'Port' })
  const described = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(described).toEqual(['As registered.', 'A port is a number from 1 to 65535.'])
  expect(input.getAttribute('aria-invalid')).toBe('true')
})

function Model() {
  const [value, setValue] = useState('')
  return (
    <Field label="GPU model">
      <Combobox value={value} onChange={setValue} options={[{ value: 'RTX 4090', note: '$133' }, { value: 'RTX 3090' }]} />
    </Field>
  )
}

function Orders() {
  const [tab, setTab] = useState<'logs' | 'events'>('logs')
  return (
    <Tabs
      label="Order"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'logs', label: 'Logs', content: 'Model loaded' },
        { value: 'events', label: 'Events', content: 'Created and paid' },
      ]}
    />
  )
}

function typedIn(field: HTMLElement): string {
  return (field as HTMLInputElement).value
}
