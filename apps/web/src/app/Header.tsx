import { ArrowUpRight, Menu, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useMessages } from '../i18n/useMessages.ts'
import type { LiveState } from '../platform/live/useLive.ts'
import { Logo } from '../ui/Logo.tsx'
import { StateShape } from '../ui/StateDot.tsx'
import { ConnectButton, useAccountState } from '../wallet/index.ts'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { appMessages } from './messages.ts'
import { PATHS } from './paths.ts'
import { ThemeSwitch } from './ThemeSwitch.tsx'

const RENT_PATHS: readonly string[] = [PATHS.nodeList, PATHS.search, PATHS.machine, PATHS.addOrder, PATHS.providerDetail]
const ORDER_PATHS: readonly string[] = [PATHS.mySpace, PATHS.orderInfo, PATHS.extendOrder, PATHS.deploy, PATHS.keys]
const PROVIDER_PATHS: readonly string[] = [PATHS.providerInfo, PATHS.addProvider, PATHS.addNode]

export function Header({ live }: { live: LiveState }) {
  const text = useMessages(appMessages)
  return (
    <header className="no-print relative z-30 border-b border-line bg-paper">
      <div className="wrap-wide flex h-15 items-center gap-3 lg:gap-7">
        <Link to={PATHS.home} aria-label={text.toHome} className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
          <Logo />
          Rackfair
        </Link>
        <nav aria-label={text.menu} className="hidden lg:block">
          <NavLinks className="flex gap-5" />
        </nav>
        <span className="flex-1" />
        <span className="hidden items-center gap-1 lg:flex">
          <LiveSign live={live} />
          <LanguageSwitch />
          <ThemeSwitch />
        </span>
        <ConnectButton />
        <MobileMenu />
      </div>
    </header>
  )
}

function NavLinks({ className }: { className: string }) {
  const text = useMessages(appMessages)
  const { status } = useAccountState()
  const [path] = useLocation()
  const links = [
    { to: PATHS.nodeList, label: text.rent, current: RENT_PATHS.includes(path) },
    ...(status === 'connected'
      ? [
          { to: PATHS.mySpace, label: text.myOrders, current: ORDER_PATHS.includes(path) || path.startsWith('/orderdeploy/') },
          { to: PATHS.providerInfo, label: text.earn, current: PROVIDER_PATHS.includes(path) },
        ]
      : []),
    { to: PATHS.status, label: text.network, current: path === PATHS.status },
  ]
  return (
    <ul className={className}>
      {links.map((link) => (
        <li key={link.to}>
          <Link
            to={link.to}
            aria-current={link.current ? 'page' : undefined}
            className={`flex items-center hover:text-ink max-lg:h-11 lg:h-15 lg:border-b-2 ${link.current ? 'border-accent text-ink' : 'border-transparent text-ink-2'}`}
          >
            {link.label}
          </Link>
        </li>
      ))}
      <li>
        <a
          href="/docs/"
          target="_blank"
          rel="noreferrer"
          className="flex items-center gap-1 border-transparent text-ink-2 hover:text-ink max-lg:h-11 lg:h-15 lg:border-b-2"
        >
          {text.docs}
          <ArrowUpRight aria-hidden className="size-3.5" />
        </a>
      </li>
    </ul>
  )
}

/** Whether the page follows the market as it happens. */
function LiveSign({ live }: { live: LiveState }) {
  const text = useMessages(appMessages)
  return (
    <span
      role="status"
      data-live-sign
      title={text.live[live]}
      className="relative mr-2 inline-flex items-center gap-1.5 text-xs text-ink-3"
    >
      <StateShape tone={live === 'live' ? 'idle' : 'off'} />
      <span aria-hidden className={`max-xl:hidden ${live === 'live' ? '' : 'invisible'}`}>
        {text.live.live}
      </span>
      <span className="sr-only">{text.live[live]}</span>
    </span>
  )
}

/** The button and what it opens; the browser opens it, so that it opens on a page whose program is still on its way. */
function MobileMenu() {
  const text = useMessages(appMessages)
  const [path] = useLocation()
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const shown = useRef(path)
  // It may have been opened before the app was loaded.
  useEffect(() => {
    if (menu.current?.hidePopover) setOpen(menu.current.matches(':popover-open'))
  }, [])
  // Navigation closes the menu; one opened before the app was loaded stays open.
  useEffect(() => {
    if (shown.current !== path) menu.current?.hidePopover?.()
    shown.current = path
  }, [path])

  return (
    <>
      <button
        type="button"
        popoverTarget="mobile-menu"
        aria-label={open ? text.closeMenu : text.openMenu}
        className="grid size-9 place-items-center rounded-md border border-line-2 bg-raised lg:hidden"
      >
        {open ? <X aria-hidden className="size-4" /> : <Menu aria-hidden className="size-4" />}
      </button>
      <div
        ref={menu}
        id="mobile-menu"
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="wrap-wide absolute inset-x-0 top-15 bottom-auto w-full border-y border-line bg-paper pb-4 text-ink shadow-pop lg:hidden"
      >
        <nav aria-label={text.menu}>
          <NavLinks className="flex flex-col" />
        </nav>
        <div className="mt-2 flex gap-2 border-t border-line pt-3">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </div>
    </>
  )
}
