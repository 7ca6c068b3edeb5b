import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import OwnDraft from './OwnDraft.tsx'
import type { Draft } from './useChosenApp.ts'

const COMPOSE = `services:
  web: {image: "ghcr.io/acme/shop:1.4", ports: ["8080:8080"], depends_on: [db]}
  db: {image: "postgres:17", environment: {POSTGRES_PASSWORD: "\${DB_PASSWORD}"}}
`

let draft: Draft | undefined
const take = (next: Draft) => {
  draft = next
}

function pasteBesideFields(text: string): void {
  const event = Object.assign(new Event('paste', { bubbles: true }), { clipboardData: { getData: () => text } })
  act(() => void document.body.dispatchEvent(event))
}

test('reads what is pasted anywhere, and is ready once its values are there', () => {
  render(<OwnDraft takes={undefined} onChange={take} />)
  pasteBesideFields(COMPOSE)
  expect(draft).toEqual({ pasted: COMPOSE, ready: undefined })
  expect(screen.getByText(/once you have given the values above/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('DB_PASSWORD'), { target: { value: 'a secret' } })
  expect(draft?.ready).toMatchObject({ title: 'web and db', values: { DB_PASSWORD: 'a secret' } })
  expect(draft?.ready?.yaml).not.toContain('a secret')
  expect(draft?.ready?.app).not.toContain('a secret')
})

test('names a single container by its image, and what is refused by its line', () => {
  render(<OwnDraft takes={undefined} onChange={take} />)
  pasteBesideFields(`docker run -p 6379:6379 docker.io/library/redis:7@sha256:${'a'.repeat(64)}`)
  expect(draft?.ready?.title).toBe('redis')
  pasteBesideFields('docker run --privileged redis:7')
  expect(draft?.ready).toBeUndefined()
  expect(screen.getByText(/Refused: 1/)).toBeTruthy()
})
