import { type ComponentProps, type ReactNode, useId } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from './buttonClass.ts'
import { Spinner } from './Spinner.tsx'
import { Tooltip } from './Tooltip.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Fills the width. */
  block?: boolean
  /** Shows that it works and takes no further click. */
  pending?: boolean
  /** Why it cannot be pressed. The button stays reachable by keyboard, and the reason is read with it. */
  disabledReason?: string | undefined
  /** Where the reason stands: under the button, or in a tooltip where space is short. */
  reasonAs?: 'below' | 'tooltip'
  icon?: ReactNode
}

export function Button({
  variant = 'outline',
  size = 'md',
  block = false,
  pending = false,
  disabledReason,
  reasonAs = 'below',
  icon,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const off = disabledReason !== undefined
  const button = (
    <button
      {...rest}
      type={off || pending ? 'button' : type}
      aria-disabled={off || pending || undefined}
      aria-busy={pending || undefined}
      aria-describedby={off && reasonAs === 'below' ? reasonId : rest['aria-describedby']}
      onClick={off || pending ? undefined : onClick}
      className={buttonClass(variant, size, { off, block })}
    >
      {pending ? <Spinner /> : icon}
      {children}
    </button>
  )
  if (!off) return button
  if (reasonAs === 'tooltip')
    return (
      <Tooltip text={disabledReason} block={block}>
        {button}
      </Tooltip>
    )
  return (
    <span className={`inline-flex flex-col gap-1.5 ${block ? 'w-full' : 'items-start'}`}>
      {button}
      <span id={reasonId} className="text-xs text-ink-2">
        {disabledReason}
      </span>
    </span>
  )
}
