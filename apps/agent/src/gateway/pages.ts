import type { Visit } from '../orders/createVisits.ts'
import type { Page } from './page.ts'

/** The terminal of an application that also has a web page. */
export const SHELL_PATH = '/.rackfair/shell'

const page = (status: number, title: string, text: string, zh: string, more: Partial<Page> = {}): Page => ({
  status,
  title,
  text,
  zh,
  ...more,
})

export const notHere = (): Page =>
  page(404, 'Nothing to visit here', 'Open your application with Visit under My orders.', '请在“我的订单”中点击“访问”打开应用。')

export const mismatch = (): Page =>
  page(
    403,
    'This link does not fit',
    'The address in the link is not the one the order belongs to.',
    '链接中的地址与订单所属的地址不符。',
  )

export const needsOrigin = (): Page =>
  page(
    403,
    'Not on this address',
    'Applications that only their owner may open need an address of their own, which this provider does not offer. Ask the provider, or cancel the order and choose another machine.',
    '仅限所有者访问的应用需要独立的地址，而该供应商未提供。请联系供应商，或取消订单并选择其他机器。',
  )

export const ended = (): Page =>
  page(410, 'No longer here', 'This application was cleaned or its order has ended.', '此应用已被清理，或其订单已结束。')

export const starting = (phase: string): Page =>
  page(
    503,
    'Starting …',
    `The application is not ready yet (${phase}). This page tries again by itself.`,
    '应用尚未就绪，本页面会自动重试。',
    {
      retrySeconds: 2,
    },
  )

/** It runs, but nothing listens at its port; where there is a terminal, its owner can look why. */
export const silent = (visit: Visit): Page =>
  page(
    503,
    'No answer yet',
    'The application runs but does not answer. This page tries again by itself.',
    '应用正在运行，但尚未响应，本页面会自动重试。',
    {
      retrySeconds: 5,
      ...(visit.preset.app.terminal ? { extra: `<p><a href="${SHELL_PATH}">Open the terminal · 打开终端</a></p>` } : {}),
    },
  )

export const failed = (code: string | undefined): Page =>
  page(
    502,
    'The application could not be started',
    `Reason: ${code ?? 'unknown'}. Deploy again under My orders.`,
    '应用无法启动，请在“我的订单”中重新部署。',
    {
      retrySeconds: 15,
    },
  )

export const signInPage = (visit: Visit, challenge: { nonce: string; time: number; text: string }): Page =>
  page(
    401,
    `Sign in to ${visit.preset.wire.title}`,
    `Only the wallet that owns order ${visit.orderId} may open this application. Signing costs nothing and lasts twelve hours.`,
    '只有拥有此订单的钱包才能打开该应用。签名不收取费用，有效期为十二小时。',
    {
      extra:
        '<p><select aria-label="Wallet" hidden></select></p><button disabled>Sign with wallet · 用钱包签名</button><p role="status"></p>',
      script: '/.rackfair/sign-in.js',
      data: { order: String(visit.orderId), nonce: challenge.nonce, time: String(challenge.time), text: challenge.text },
    },
  )

export const terminalPage = (visit: Visit): Page =>
  page(200, `Terminal of order ${visit.orderId}`, '', '', {
    extra:
      '<link rel="stylesheet" href="/.rackfair/xterm.css"><style>body{display:block;place-items:normal;background:#10141a;color:#eef1f6}main{width:100%;border:0;border-radius:0;padding:0;background:none}h1,main>p:not([role]){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}#terminal{height:100dvh}#terminal .xterm{height:100%;padding:8px;box-sizing:border-box}#terminal .xterm-viewport{background:none!important}[role=status]{position:fixed;inset:auto 0 0 0;margin:0;background:#2a3340;color:#fff;padding:0 12px}</style><div id="terminal"></div><p role="status"></p>',
    script: '/.rackfair/terminal.js',
  })
