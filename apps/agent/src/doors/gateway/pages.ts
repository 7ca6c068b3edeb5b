import type { Visit } from '../../orders/createVisits.ts'
import type { Credentials } from './credentials.ts'
import type { Page } from './page.ts'

/** The terminal of an application that also has a web page. */
export const SHELL_PATH = '/.rackfair/shell'

/** The pages of the gateway. `market` is the origin of the market's web app, where the owner's orders are. */
export function createPages(market: string) {
  const toOrders: Action = {
    href: new URL('/myspace', market).href,
    label: { en: 'Go to My orders', zh: '前往“我的订单”' },
  }
  return { ...refusalPages(toOrders), ...progressPages(toOrders), ...ownerPages }
}
export type Pages = ReturnType<typeof createPages>

const TERMINAL_STYLE =
  'body{display:block;background:#0F1113;color:#ECEAE4}main{width:100%;border:0;border-radius:0;padding:0;background:none}header,h1,main>p:not([role]){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}#terminal{position:fixed;inset:0 0 32px}#terminal .xterm{height:100%;padding:8px;box-sizing:border-box}#terminal .xterm-viewport{background:none!important}[role=status]{position:fixed;inset:auto 0 0 0;height:32px;line-height:32px;margin:0;background:#26292D;color:#ECEAE4;padding:0 12px}label{position:fixed;inset:auto 8px 0 auto;height:32px;display:flex;align-items:center;gap:6px;padding:0 4px;background:#26292D;color:#ECEAE4;font-size:13px}'

type Action = NonNullable<Page['action']>
type Sentence = readonly [en: string, zh: string]

const PHASES: Record<string, Sentence> & { Starting: Sentence } = {
  Pulling: ['Its image is being fetched.', '正在获取镜像。'],
  Creating: ['Its container is being created.', '正在创建容器。'],
  Starting: ['It is not ready yet.', '应用尚未就绪。'],
  Stopped: ['Its renter stopped it; its data is kept.', '租用者已将其停止；数据仍保留。'],
  Finished: ['It was a job and has ended; its files are kept.', '这是一个任务，已运行结束；其文件仍保留。'],
  Degraded: ['It stopped or did not answer, and is being restarted.', '应用已停止或没有响应，正在重新启动。'],
}

const REASONS: Record<string, Sentence> & { other: Sentence } = {
  image_missing: ['This machine does not have its image and could not fetch it', '此机器没有该应用的镜像，也无法获取'],
  image_changed: ['Its image was lost, and a new build of it is another one', '其镜像已丢失，重新构建得到的是另一个镜像'],
  start_failed: ['It stopped while starting', '应用在启动时停止'],
  start_timeout: ['It did not answer in time', '应用未在规定时间内响应'],
  disk_full: ['The disk of this machine is full', '此机器的磁盘已满'],
  isolation_unavailable: ['This machine cannot shut it in safely', '此机器无法安全地隔离该应用'],
  engine_unavailable: ['The container engine of this machine does not answer', '此机器的容器引擎没有响应'],
  image_not_found: ['The registry has no image with this name and tag', '镜像仓库中没有该名称和标签的镜像'],
  image_architecture: ['The image is for another kind of processor', '该镜像适用于另一种处理器'],
  image_too_large: [
    'The image is larger than the order’s disk or this provider allows',
    '镜像大小超过订单的磁盘或该供应商的上限',
  ],
  registry_denied: ['The registry does not show the image', '镜像仓库拒绝提供该镜像'],
  registry_unreachable: ['The registry of the image does not answer', '该镜像的仓库没有响应'],
  other: ['Something went wrong on this machine', '此机器发生了故障'],
}

const page = (status: number, en: readonly [string, string], zh: readonly [string, string], more: Partial<Page> = {}): Page => ({
  status,
  words: { en: { title: en[0], text: en[1] }, zh: { title: zh[0], text: zh[1] } },
  ...more,
})

/** Pages for addresses that have nothing for this visitor, and never will. */
const refusalPages = (toOrders: Action) => ({
  notHere: (): Page =>
    page(
      404,
      ['Nothing to visit here', 'Open your application with Visit under My orders.'],
      ['这里没有可访问的内容', '请在“我的订单”中点击“访问”打开应用。'],
      { action: toOrders },
    ),

  otherAddress: (): Page =>
    page(
      421,
      [
        'Not an address of this machine',
        'You came under a name that this provider does not use, so another site may stand between you and it. Nothing was opened, and no signature is accepted here. Close this page and open your application with Visit under My orders. If the machine is yours, put the name that visitors use into its configuration.',
      ],
      [
        '这不是此机器的地址',
        '您使用的名称不属于该供应商，您与它之间可能隔着另一个网站。没有打开任何应用，此处也不接受任何签名。请关闭此页面，在“我的订单”中点击“访问”打开应用。如果这是您的机器，请把访客使用的名称写入其配置。',
      ],
      { action: toOrders },
    ),

  mismatch: (): Page =>
    page(
      403,
      ['This link does not match', 'The address in the link is not the one the order belongs to.'],
      ['链接不匹配', '链接中的地址与订单所属的地址不符。'],
      { action: toOrders },
    ),

  needsOrigin: (): Page =>
    page(
      403,
      [
        'Not on this address',
        'Applications that only their owner may open need an address of their own, which this provider does not offer. Ask the provider, or cancel the order and choose another machine.',
      ],
      ['无法在此地址打开', '仅限所有者访问的应用需要独立的地址，而该供应商未提供。请联系供应商，或取消订单并选择其他机器。'],
      { action: toOrders },
    ),

  ended: (): Page =>
    page(
      410,
      ['No longer here', 'This application was cleaned or its order has ended.'],
      ['应用已不在此处', '此应用已被清理，或其订单已结束。'],
      { action: toOrders },
    ),
})

/** Pages while an application starts, is busy, or has failed. */
const progressPages = (toOrders: Action) => ({
  starting: (phase: string): Page => {
    const [en, zh] = PHASES[phase] ?? PHASES.Starting
    return page(
      503,
      ['Starting …', `${en} This page opens the application automatically.`],
      ['正在启动……', `${zh}就绪后，本页面会自动打开应用。`],
      { retrySeconds: 2 },
    )
  },

  /** It runs, but nothing listens at its port; if there is a terminal, its owner can find out why. */
  silent: (visit: Visit): Page =>
    page(
      503,
      ['No answer yet', 'The application is running but does not answer. This page keeps trying.'],
      ['尚未响应', '应用正在运行，但尚未响应，本页面会自动重试。'],
      {
        retrySeconds: 5,
        ...(visit.preset.app.terminal
          ? { action: { href: SHELL_PATH, label: { en: 'Open the terminal', zh: '打开终端' } } }
          : {}),
      },
    ),

  crowded: (): Page =>
    page(
      503,
      [
        'Too many requests at once',
        'The application is busy with as many requests as it may have. This one did not reach it. This page keeps trying.',
      ],
      ['同时请求过多', '应用正在处理的请求已达上限，本次请求没有送达。本页面会自动重试。'],
      { retrySeconds: 5 },
    ),

  failed: (code: string | undefined): Page => {
    const [en, zh] = REASONS[code ?? ''] ?? REASONS.other
    return page(
      502,
      [
        'The application could not be started',
        `${en} (${code ?? 'unknown'}). An order that has not started costs nothing yet; one that has started continues, and so do its charges. Deploy again, deploy another application, or cancel the order.`,
      ],
      [
        '应用无法启动',
        `${zh}（${code ?? 'unknown'}）。尚未启动的订单暂不产生费用；已启动的订单继续进行，费用也继续计算。请重新部署、部署其他应用，或取消订单。`,
      ],
      { retrySeconds: 15, action: toOrders },
    )
  },
})

/** Pages for the owner of an order only. */
const ownerPages = {
  /** Takes the ticket from the market's page out of the URL fragment, which appears in no log. */
  opening: (link: string): Page =>
    page(200, ['Opening …', 'Your application opens in a moment.'], ['正在打开……', '应用即将打开。'], {
      extra: (language) =>
        `<p role="status"></p><p hidden><a href="/">${language === 'zh' ? '在此处登录' : 'Sign in here instead'}</a></p>`,
      script: '/.rackfair/open.js',
      data: { link },
    }),

  /** Has the browser keep the credentials of a session for this origin. */
  entering: ({ name, proof }: Credentials): Page =>
    page(200, ['Opening …', 'Your application opens in a moment.'], ['正在打开……', '应用即将打开。'], {
      script: '/.rackfair/enter.js',
      data: { name, proof },
    }),

  signIn: (visit: Visit, challenge: { nonce: string; time: number; text: string }): Page =>
    page(
      401,
      [
        `Sign in to ${visit.preset.wire.title}`,
        `Only the wallet that owns order ${visit.orderId} may open this application. Signing costs nothing and lasts twelve hours.`,
      ],
      [
        `登录 ${visit.preset.wire.title}`,
        `只有拥有订单 ${visit.orderId} 的钱包才能打开该应用。签名不收取费用，有效期为十二小时。`,
      ],
      {
        extra: (language) =>
          language === 'zh'
            ? '<p><select aria-label="钱包" hidden></select></p><button disabled>用钱包签名</button><p role="status"></p>'
            : '<p><select aria-label="Wallet" hidden></select></p><button disabled>Sign with wallet</button><p role="status"></p>',
        script: '/.rackfair/sign-in.js',
        data: { order: String(visit.orderId), nonce: challenge.nonce, time: String(challenge.time), text: challenge.text },
      },
    ),

  terminal: (visit: Visit): Page =>
    page(200, [`Terminal of order ${visit.orderId}`, ''], [`订单 ${visit.orderId} 的终端`, ''], {
      extra: (language) =>
        `<link rel="stylesheet" href="/.rackfair/xterm.css"><style>${TERMINAL_STYLE}</style><div id="terminal"></div><p role="status"></p>` +
        `<label><input type="checkbox" role="switch">${language === 'zh' ? '屏幕阅读器' : 'Screen reader'}</label>`,
      script: '/.rackfair/terminal.js',
    }),
}
