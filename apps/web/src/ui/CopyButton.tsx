import { useMessages } from '../i18n/useMessages.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { uiMessages } from './messages.ts'
import { useCopy } from './useCopy.ts'

/** Copies `value` and says so in its own place, as wide as before. */
export function CopyButton({
  value,
  children,
  ...button
}: { value: string; children: string } & Pick<ButtonProps, 'variant' | 'size'>) {
  const text = useMessages(uiMessages)
  const { copied, copy } = useCopy()
  return (
    <>
      <Button {...button} onClick={() => void copy(value)}>
        <span className="stacked">
          <span className={copied ? 'invisible' : ''}>{children}</span>
          <span className={copied ? '' : 'invisible'}>{text.copied}</span>
        </span>
      </Button>
      <span aria-live="polite" className="sr-only">
        {copied ? text.copied : ''}
      </span>
    </>
  )
}
