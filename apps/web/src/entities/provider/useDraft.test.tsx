import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useDraft } from './useDraft.ts'

const EMPTY = { name: '' }

describe('the draft of a form', () => {
  it('is empty after sending, even over a reload', () => {
    const { result } = renderHook(() => useDraft('sent', EMPTY))
    act(() => result.current.setFields({ name: 'helios' }))
    act(() => result.current.clear(result.current.fields))
    expect(result.current.fields).toEqual(EMPTY)
    expect(renderHook(() => useDraft('sent', EMPTY)).result.current.fields).toEqual(EMPTY)
  })

  it('keeps what is typed while the last one is being sent', () => {
    const { result } = renderHook(() => useDraft('next', EMPTY))
    act(() => result.current.setFields({ name: 'helios' }))
    const sent = result.current
    act(() => result.current.setFields({ name: 'kiln' }))
    act(() => sent.clear(sent.fields))
    expect(result.current.fields).toEqual({ name: 'kiln' })
    expect(renderHook(() => useDraft('next', EMPTY)).result.current.fields).toEqual({ name: 'kiln' })
  })
})
