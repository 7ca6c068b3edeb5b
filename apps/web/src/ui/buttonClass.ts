import { clsx } from 'clsx'

export type ButtonVariant = 'primary' | 'outline' | 'accent' | 'quiet' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-accent bg-accent text-accent-ink hover:border-accent-2 hover:bg-accent-2',
  outline: 'border-line-2 bg-raised text-ink hover:border-edge',
  accent: 'border-accent bg-raised text-accent hover:bg-accent-soft',
  quiet: 'border-transparent text-ink-2 hover:bg-sunk hover:text-ink',
  danger: 'border-line-2 bg-raised text-bad hover:border-bad hover:bg-bad-soft',
}
const SIZES: Record<ButtonSize, string> = {
  sm: 'h-8 px-2.5 gap-1.5 text-sm',
  md: 'h-9 px-3 gap-2 text-sm',
  lg: 'h-12 px-5 gap-2 text-base',
}

/** The look of a button, for buttons and for links that act like one. */
export function buttonClass(variant: ButtonVariant, size: ButtonSize, options: { off?: boolean; block?: boolean } = {}): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap transition-colors',
    SIZES[size],
    options.off ? 'border-line-2 bg-transparent text-ink-3' : VARIANTS[variant],
    options.block && 'w-full',
  )
}
