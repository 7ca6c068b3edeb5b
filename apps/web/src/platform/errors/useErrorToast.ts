import { AppError } from '@rackfair/rules/errors/AppError'
import { useCallback } from 'react'
import { toast } from '../../ui/toastStore.ts'
import { useErrorText, useErrorTitle } from './useErrorText.ts'

/** Shows an error as a red toast: titled 'Error Message' by default, cut, the full text one click away, and logged. A rejection by the user is silent. */
export function useErrorToast(): (error: unknown, options?: { title?: string; length?: number }) => void {
  const errorText = useErrorText()
  const title = useErrorTitle()
  return useCallback(
    (error, options = {}) => {
      if (error instanceof AppError && error.code === 'user_rejected') return
      const text = errorText(error, options.length)
      console.error(`${options.title ?? title}: ${text.details}`)
      toast({ tone: 'bad', title: options.title ?? title, text: text.short, details: text.details })
    },
    [errorText, title],
  )
}
