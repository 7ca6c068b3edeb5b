import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type ButtonSize, type ButtonVariant, buttonClass } from './buttonClass.ts'
import { ExternalLink } from './ExternalLink.tsx'

export interface ButtonLinkProps {
  /** A path inside the app, or an address that starts with http and opens in a new tab. */
  to: string
  variant?: ButtonVariant
  size?: ButtonSize
  block?: boolean
  icon?: ReactNode
  children: ReactNode
  'aria-label'?: string
}

/** A link that looks like a button. */
export function ButtonLink({ to, variant = 'outline', size = 'md', block = false, icon, children, ...rest }: ButtonLinkProps) {
  const className = buttonClass(variant, size, { block })
  if (/^https?:/.test(to))
    return (
      <ExternalLink to={to} className={className} {...rest}>
        {icon}
        {children}
      </ExternalLink>
    )
  return (
    <Link to={to} className={className} {...rest}>
      {icon}
      {children}
    </Link>
  )
}
