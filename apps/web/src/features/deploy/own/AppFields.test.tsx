import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { AppFields } from './AppFields.tsx'
import { type AppForm, EMPTY_FORM, formOf, readForm } from './appForm.ts'
import { SecretFields } from './SecretFields.tsx'

afterEach(cleanup)

const KEY = '-----BEGIN KEY-----\nabc=\n-----END KEY-----\n'

function Form({ first, onChange }: { first: AppForm; onChange: (form: AppForm) => void }) {
  const [form, setForm] = useState(first)
  onChange(form)
  return <AppFields form={form} onChange={setForm} problems={[]} />
}

/** Shows the form with what is read of a text; what it makes of it. */
function show(text: string): () => ReturnType<typeof readForm> {
  let latest = formOf(readPasted(text).draft, EMPTY_FORM)
  const keep = (form: AppForm) => {
    latest = form
  }
  render(<Form first={latest} onChange={keep} />)
  return () => readForm(latest)
}
/** What a browser makes of typing: a field for one line drops line breaks. */
const type = (field: HTMLElement, added: string) =>
  fireEvent.change(field, { target: { value: `${(field as HTMLInputElement).value}${added}` } })

describe('a field holds the lines of its value', () => {
  test('in arguments that are typed on', () => {
    const read = show('services: {a: {image: redis, command: [sh, -c, "set -e\\necho \\"$$HOME\\"\\nexec sleep 99\\n"]}}')
    type(screen.getByLabelText('Arguments'), ' more')
    expect(read().spec?.args).toEqual(['sh', '-c', 'set -e\necho "$HOME"\nexec sleep 99\n', 'more'])
  })

  test('in a command, in a variable, in a secret and in the password of a registry', () => {
    const read = show('image: redis\ncommand: [a]\nenv: {A: ""}\nsecrets: [S]\nregistry: {username: bob, password: P}')
    type(screen.getByLabelText('Command'), `\n'b\nc'`)
    type(screen.getByLabelText('Value of variable 1'), KEY)
    type(screen.getByLabelText('Value of variable 2'), KEY)
    type(screen.getByLabelText('Password'), KEY)
    expect(read()).toMatchObject({
      problems: [],
      spec: { command: ['a', 'b\nc'], env: { A: KEY }, secrets: ['S'] },
      values: { S: KEY, REGISTRY_PASSWORD: KEY },
    })
  })
})

test('the value of a secret is not shown', () => {
  show('image: redis\nsecrets: [S]')
  expect(screen.getByLabelText('Value of variable 1').className).toContain('text-security:disc')
})

test('the values that a pasted text lacks hold lines as well', () => {
  const form = formOf(readPasted('image: redis\nsecrets: [S]\nregistry: {username: bob, password: P}').draft)
  const changes: AppForm[] = []
  render(<SecretFields form={form} onChange={(change) => changes.push(change)} />)
  type(screen.getByLabelText('S'), KEY)
  type(screen.getByLabelText('Password'), KEY)
  expect(changes.map((change) => readForm(change).values)).toEqual([
    { S: KEY, REGISTRY_PASSWORD: '' },
    { S: '', REGISTRY_PASSWORD: KEY },
  ])
})

test('that an image starts without its own arguments is shown, and can be undone', () => {
  const read = show('services: {a: {image: redis, command: []}}')
  expect(read().spec?.args).toEqual([])
  fireEvent.click(screen.getByLabelText('Start without the arguments that the image names'))
  expect(read().spec).not.toHaveProperty('args')
})
