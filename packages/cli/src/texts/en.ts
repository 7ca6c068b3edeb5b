import { appSentences } from '@rackfair/app-spec/import/sentences/en'
import { durationInWords } from '@rackfair/rules/duration'
import type { ErrorFacts } from '@rackfair/rules/errors/AppError'
import { usdOfFact as usd } from './usdOfFact.ts'

/** The texts of the command line. The English ones define the type; Chinese has the same keys. */
export const en = {
  about: `Rent GPU and CPU machines of the Rackfair market, and use them.

Data goes to stdout, everything else to stderr. The key of the wallet comes from RACKFAIR_KEY or from an encrypted keystore file, never from an argument.`,
  after: `Environment:
  RACKFAIR_PLATFORM       the market (default: http://127.0.0.1:3000), or several platforms of it, with commas
  RACKFAIR_RPC            RPC of its chain (default: the one that the market names)
  RACKFAIR_ACCESS         address of its Access contract (default: the known one)
  RACKFAIR_KEY            private key, 0x and 64 hex digits
  RACKFAIR_PURSE          the purse that buys: the key is then its owner, or was granted by it
  RACKFAIR_KEYSTORE       keystore file (default: ~/.config/rackfair/key.json)
  RACKFAIR_PASSWORD, RACKFAIR_PASSWORD_FILE   its password, where nobody can be asked

Exit codes: 0 done, 1 unexpected, 2 not understood, 3 not confirmed, 4 not found, 5 no answer (try again),
6 not enough money or above the limit, 7 refused, 8 key, 9 the application did not start, 130 interrupted.
exec and run exit with the code of the command, or with 125 if it did not run to its end.

Example:
  order=$(rackfair buy --cheapest --max-price 20 --yes) && rackfair deploy $order nginx && rackfair logs -f $order`,
  options: {
    platform: 'origin of the market; several with commas between them are tried in order',
    rpc: 'RPC of its chain',
    access: 'address of its Access contract',
    keystore: 'encrypted keystore file (Web3 Secret Storage V3)',
    purse: 'address of the purse that buys',
    json: 'print JSON: one value, or one per line for a stream',
    yes: 'do not ask before money is spent',
  },
  commands: {
    search: 'list machines, cheapest first; words are searched for in name, GPU and CPU',
    buy: 'buy a machine, PROVIDER/NODE as search lists it; prints the number of the order',
    deploy: 'start an application on an order: a preset, an image, or a file; prints its address',
    clean: 'remove the application of an order with its data',
    ps: 'list your orders',
    order: 'show when an order ends, and whether it is renewed',
    logs: 'print the log of an order',
    exec: 'run a command in the application of an order',
    run: 'buy a machine, run one command to its end, and cancel for the rest of the money',
    cp: 'copy a file to or from an order, written as ORDER:/path; a folder comes as a tar',
    ssh: 'open SSH to an order through the market, with the ssh of this machine',
    visit: 'print the address of an application, and check that its provider itself ends TLS there',
    domain: 'let domains of your own lead to an order',
    domainList: 'list the domains of an order, and say where one has to point',
    domainAdd: 'add a domain whose CNAME points to the order',
    domainRemove: 'remove a domain from an order',
    proxy: 'carry one connection to the SSH of an order over stdin and stdout (a ProxyCommand)',
    usage: 'show what an order uses of what was bought',
    extend: 'add time to an order, of anybody: refunds go to its buyer',
    cancel: 'close an order; what was not used comes back',
    close: 'close any order that was never started, or whose machine was away for 24 hours without a break',
    move: 'carry an order over to the new version of the market; prints its new number',
    receipt: 'show every second and every cent of an order',
    reliability: 'recompute what the market says about a machine (PROVIDER/NODE) or a provider (PROVIDER) from the chain',
    image: 'compare the running image with the one that the provider promised',
    account: 'show the address and what it holds',
    faucet: 'get Credit and gas on the development chain',
    key: 'make or show the keystore; grant keys of the purse',
    keyNew: 'make a new key in an encrypted keystore',
    keyImport: 'write the key of RACKFAIR_KEY into an encrypted keystore',
    keyAddress: 'show the address of the key',
    keyGrant: 'let a key spend from the purse within limits: a new one, printed once, or that of an address',
    keyList: 'list the keys of the purse and what is left to each',
    keyRevoke: 'take every right of a key, at once',
    purse: 'show the purse of the account, what it holds, and which orders it renews',
    purseCreate: 'make the purse; prints its address',
    purseDeposit: 'move Credit of the account into the purse',
    purseWithdraw: 'move Credit of the purse to its owner',
    purseKeep: 'renew an order of the purse without you: anybody may extend it near its end, within your limits',
    completion: 'print the completion for a shell; bash: source <(rackfair completion bash)',
  },
  flags: {
    gpu: 'GPU model',
    minGpus: 'GPUs',
    minMemory: 'memory in GB',
    minDisk: 'disk in GB',
    minVram: 'memory of one GPU in GB',
    verified: 'only machines whose hardware monitors measured in the last eight days',
    minCores: 'processor cores',
    minDriver: 'at least this NVIDIA driver: 550, 550.90',
    region: 'country that the provider states, two letters, or EU; several with commas: DE,FR',
    maxPriceMonth: 'USD a month at most',
    all: 'also machines that cannot be bought',
    limit: 'how many (default: 20)',
    for: 'how long: 2h, 3 days, 1 month, an hour or more (default: the shortest that there is, an hour for most machines)',
    months: 'of 30 days, 1 to 120',
    cheapest: 'the cheapest one that matches',
    minClass: 'only where monitors verified its hardware in this class or a higher one',
    maxAge: 'only where monitors verified its hardware at most this many hours ago (default: 192)',
    maxPrice: 'pay at most this many USD',
    once: 'a name for the purchase: with it a purse buys once, however often this runs',
    deployOnce: 'a name for the deployment: with it the order gets it once, however often this runs',
    image: 'image of any registry, as in docker run',
    port: 'port of the image: 8080 (HTTP), tcp:5432 or udp:53',
    http: 'port of the file that serves the web page which the order’s link opens',
    file: 'compose file, docker run line, Kubernetes file, Akash SDL or app.yaml; - reads stdin',
    env: 'a value for the application; NAME alone takes it from the environment',
    secret: 'like --env, and sealed to the provider',
    envFile: 'file of variables: those of --file, or secrets of --image; default: the .env beside a compose file',
    with: 'what a file names and does not have: NAME=PATH of a file, SERVICE=IMAGE, VARIABLE=VALUE',
    command: 'in place of the command of the image, split at spaces',
    job: 'runs to its end once; exit code, log and files stay readable',
    allOrders: 'also closed orders',
    follow: 'keep printing what comes',
    tail: 'begin this many lines before the end',
    raw: 'bytes as the application wrote them',
    time: 'begin each line with its time',
    service: 'one of several services; by default all of them in logs and usage, and else the one with the page',
    cursor: 'continue after a line that was printed with --json',
    interactive: 'pass stdin on',
    tty: 'in a terminal',
    workdir: 'folder to run in',
    replace: 'replace an existing file',
    watch: 'every two seconds',
    verify: 'recompute it from the chain and what monitors reported; exits with 7 if anything differs',
    monitors: 'also ask each monitor for its reports, which shows what the market holds back',
    prove: 'send the proof where another image ran: those minutes are refunded',
    order: 'an existing order',
    preset: 'preset to run it in (default: ubuntu)',
    keep: 'do not cancel what was bought',
    output: 'file to get afterwards, REMOTE=LOCAL',
    total: 'what the key may spend at once, in USD; refunds count again',
    perDay: 'USD added a day, up to the total (default: 0)',
    maxMonth: 'highest price of a machine, in USD a month',
    maxGpuHour: 'highest price of a GPU, in USD an hour',
    maxHours: 'the longest time that an order may have ahead of it',
    days: 'how long the key is valid (default: 30)',
    provider: 'a provider that it may buy from; again for others (default: any)',
    may: 'of buy,extend,end,deploy,workspace (default: all)',
    usdt: 'as USDT',
    keepFor: 'how long from now on (default: 30 days)',
    step: 'by how much it is extended each time, in whole hours (default: 1 day)',
    keepMonth: 'highest price in USD a month (default: that of the order)',
    maxTip: 'the most that a renewal may cost besides, for the gas of whoever sends it (default: 0.02)',
    stop: 'renew it no more',
  },
  seeHelp: 'rackfair COMMAND --help lists its arguments and options.',
  noPassword: 'The keystore needs its password: set RACKFAIR_PASSWORD_FILE or RACKFAIR_PASSWORD where nobody can be asked.',
  askPassword: (file: string) => `Password of ${file}:`,
  newPassword: 'New password:',
  samePassword: 'Once more:',
  otherPassword: 'The two passwords differ.',
  emptyPassword: 'The password is empty.',
  badPasswordFile: (file: string, why: string) =>
    `The password file ${file} cannot be read (${why}). Nothing was done; correct RACKFAIR_PASSWORD_FILE.`,
  badKey: 'RACKFAIR_KEY is not a private key: 0x and 64 hex digits. Its value is not shown.',
  needTotal: 'Say with --total how many USD the key may spend.',
  badRights: (known: string) => `--may lists rights of ${known}`,
  confirmGrant: (key: string, total: string, perDay: string, until: string) =>
    `Let ${key} spend ${total} USD of the purse, and ${perDay} USD a day, until ${until}?`,
  granted: (key: string, hash: string) => `${key} may spend from the purse (transaction ${hash}).`,
  revoked: (key: string, hash: string) => `${key} may do nothing any more (transaction ${hash}).`,
  noKeys: 'No key was granted.',
  keyStates: { valid: 'valid', over: 'over' },
  purseMissing: (address: string) =>
    `There is no purse yet: rackfair purse create makes it. It will be ${address}, where Credit can be sent before.`,
  purseHolds: (address: string, held: string, keys: number) =>
    `${address}\n${held} USD, ${keys === 1 ? '1 key' : `${keys} keys`}`,
  confirmKeep: (order: bigint, step: string, until: string, month: string, tip: string) =>
    `Let anybody renew order ${order} by ${step} near its end, until ${until}, at most ${month} USD a month, and ${tip} USD a time for their gas?`,
  keeps: (order: bigint, until: string, hash: string) => `Order ${order} is renewed until ${until} (transaction ${hash}).`,
  neverRenewed: (order: bigint, end: string, month: string) =>
    `Order ${order} would never be renewed so, and nothing was sent: it lasts until ${end} as it is. Ask for an hour or more beyond that (--for), at ${month} USD a month or more (--max-month).`,
  keepsNoMore: (order: bigint, hash: string) => `Order ${order} is renewed no more, and ends as it is (transaction ${hash}).`,
  keptLine: (order: bigint, step: string, month: string, until: string) =>
    `order ${order} is renewed by ${step} at most ${month} USD a month, and lasts until ${until}`,
  keptEndsSoon: (order: bigint, until: string) =>
    `The renewal of order ${order} runs out: it ends ${until}. rackfair purse keep renews it longer; if the purse holds too little, rackfair purse deposit fills it.`,
  notKept: 'not renewed',
  notOfPurse: (order: bigint) =>
    `Order ${order} is not one of this purse. Nothing was changed; rackfair ps lists those that are.`,
  noOrder: (order: bigint) => `There is no order ${order}; rackfair ps lists yours.`,
  orderEnds: (state: string, ends: string) => `${state}, ends ${ends}`,
  notStarted: 'some time after it starts',
  confirmDeposit: (amount: string, purse: string) => `Move ${amount} USD into the purse ${purse}?`,
  deposited: (amount: string, hash: string) => `${amount} USD moved into the purse (transaction ${hash}).`,
  withdrawn: (amount: string, hash: string) => `${amount} USD moved to the owner (transaction ${hash}).`,
  needKey: 'Set RACKFAIR_KEY to the key to be stored.',
  keyWritten: (file: string) => `Written to ${file}. Whoever has this file and its password has the money: keep both safe.`,
  badPlatform: (value: string) => `${value} is not the origin of a market, such as https://market.example`,
  badAddress: (value: string) => `${value} is not an address`,
  badOrder: (value: string) => `${value} is not the number of an order; rackfair ps lists them`,
  badMachine: (value: string) => `${value} is not a machine; search lists them as PROVIDER/NODE`,
  noMachineNamed: (name: string) => `there is no machine ${name}; search lists them by name and as PROVIDER/NODE`,
  machinesNamed: (name: string, machines: string) => `several machines are called ${name}; name one of ${machines}`,
  noModel: (model: string, nearest: string) =>
    nearest === '' ? `No machine has the GPU ${model}, or any other.` : `No machine has the GPU ${model}. There are ${nearest}.`,
  noMatch: 'No machine matches; ask for less, or see all with search --all.',
  ignored: (words: string) => `ignored: ${words}`,
  badRated: (value: string) => `${value} is neither PROVIDER/NODE, as search lists machines, nor the address of a provider`,
  badAmount: (value: string) => `${value} is not an amount in USD`,
  badNumber: (value: string) => `${value} is not a whole number`,
  badTime: (value: string) => `${value} is not a time such as 2h, 3 days or 1 month`,
  badTerm: 'An order lasts an hour to 120 months of 30 days.',
  time: (seconds: number) => durationInWords(seconds, 'en'),
  badEnv: (value: string) => `${value} is not NAME=VALUE, and the environment has no value of this name`,
  noCommand: 'a preset needs a command to run',
  badPort: (value: string) => `${value} is not a port such as 8080, tcp:5432 or udp:53`,
  badPreset: (value: string, names: string) => `there is no preset ${value}; there are ${names}`,
  badApp: (problems: string) => `the application cannot be read: ${problems}`,
  app: appSentences,
  ofApp: (field: string, line: number | undefined, sentence: string) =>
    `${field === '' ? 'the file' : field}${line === undefined ? '' : ` (line ${line})`} ${sentence}`,
  fromEnvFile: (path: string) => `Variables are taken from ${path}.`,
  giveIt: {
    file: (name: string) => `${name} is not there. Give it: --with ${name}=PATH`,
    values: (name: string) => `${name} is not there. Give it: --with ${name}=PATH`,
    image: (name: string) => `The image of ${name} is built elsewhere. Name it: --with ${name}=IMAGE`,
    variable: (name: string) => `${name} has no value. Give one: --with ${name}=VALUE, or in --env-file`,
  },
  unread: {
    outside: (name: string) => `${name} lies outside of the folder of the file and was not read. Give it: --with ${name}=PATH`,
    no_text: (name: string) =>
      `${name} is no text (UTF-8): build it into the image, or copy it with rackfair cp after the start.`,
    too_large: (name: string) =>
      `${name} is larger than 32 KiB: build it into the image, or copy it with rackfair cp after the start.`,
  },
  badWith: (value: string) => `${value} is nothing that the file names and does not have`,
  notOfServices: (flag: string) => `${flag} is of one container: a file of several services says it for each of them`,
  runsOne: 'run ends with the one container that it starts; rackfair deploy starts a file of several services',
  noHttp: 'No port is known to serve a web page; --http PORT names the one that the order’s link is to open.',
  badOutput: (value: string) => `${value} is not an output such as /data/result.txt=result.txt, each path once`,
  outputIsThere: (path: string) => `${path} already exists. Nothing was bought; name another file.`,
  cannotWrite: (path: string, why: string) => `${path} cannot be written (${why}). Nothing was done; name another file.`,
  oneOf: (what: string) => `name one of ${what}`,
  connecting: (platform: string) => `Connecting to ${platform}…`,
  connectingWorkspace: 'Connecting to the provider’s machine…',
  reconnecting: 'The connection ended; trying again…',
  needsYes: 'Nobody can be asked here: pass --yes to continue.',
  yesNo: '(yes/no)',
  notDone: 'Nothing was done.',
  confirmBuy: (name: string, time: string, price: string, balance: string) =>
    `Buy ${name} for ${time} at ${price} USD? The account has ${balance} USD of Credit.`,
  confirmExtend: (order: bigint, time: string, price: string) => `Add ${time} to order ${order} for ${price} USD?`,
  confirmCancel: (order: bigint, back: string, paid: string) =>
    `Close order ${order}? ${back} USD comes back, ${paid} USD goes to the provider, and what is on the machine is deleted.`,
  confirmClose: (order: bigint) =>
    `Close order ${order} because its provider dropped it? Its buyer gets the rest and the penalty; you pay the gas.`,
  confirmMove: (order: bigint, holdbackHours: number, penaltyHours: number, percent: number) =>
    `Carry order ${order} over to the new version of the market? Machine, prices and end stay, what is on the machine is deleted. A second is final after ${holdbackHours} h, dropping the order costs the provider the price of ${penaltyHours} h, and its commission is ${percent} %.`,
  boughtBefore: (order: bigint) => `Order ${order} was bought under this name before. Nothing was paid now.`,
  bought: (order: bigint, price: string, hash: string) => `Order ${order} is bought for ${price} USD (transaction ${hash}).`,
  lasts: (seconds: number) => `${durationInWords(seconds, 'en')} in total`,
  extended: (order: bigint, price: string, hash: string) => `Order ${order} is extended for ${price} USD (transaction ${hash}).`,
  cancelled: (order: bigint, back: string, hash: string) =>
    `Order ${order} is closed, ${back} USD came back (transaction ${hash}).`,
  moved: (from: bigint, order: bigint, back: string, hash: string) =>
    `Order ${from} continues as order ${order}, ${back} USD came back (transaction ${hash}).`,
  sent: (hash: string) => `Transaction ${hash} was sent and may still be mined: rackfair ps shows what it did.`,
  waitingFor: (hash: string) => `Waiting for transaction ${hash}…`,
  stopping: 'Stopping. Press Ctrl-C again not to wait.',
  interrupted: 'Interrupted.',
  nothingPaid: 'Nothing was paid.',
  orderGoesOn: (order: bigint) => `The order keeps running: rackfair cancel ${order} closes it.`,
  noMachine: 'No machine that matches can be bought now.',
  noOrders: 'There are no orders.',
  noPage: 'It runs. It has no page.',
  reach: {
    here: 'It is on this computer: nothing is sent over a network.',
    plain: 'Without HTTPS: whoever carries the traffic can read and change it.',
    secure: (host: string) =>
      `HTTPS up to the provider. Besides it, only who controls ${host} could pretend to be it: of an edge, who runs that edge.`,
  },
  endsTls: {
    agent: (certificate: string) => `The provider’s agent has signed that this certificate is its own: ${certificate}`,
    other: (certificate: string) =>
      `Somebody between you and the provider shows a certificate that the provider’s agent does not have (${certificate}), and can read and change what is sent there. Nothing was sent but this question. Do not use the page; tell the provider, and who runs its edge.`,
    unproven: (certificate: string) =>
      `Nothing shows that the certificate (${certificate}) is of the provider’s agent: a proxy of the provider ends TLS there, or somebody in between. Nothing was sent but this question. Ask the provider before you send anything secret.`,
    untrusted: (issuer: string) => `This computer does not trust who issued the certificate: ${issuer}. Browsers warn of it.`,
    silent: (reason: string) => `Nothing answers there (${reason}), so who ends TLS was not checked. Try again.`,
  },
  waiting: {
    unknown: (port: number) => `nothing answers at port ${port} yet`,
    nothing: (port: number) => `nothing answers at port ${port}; the application listens nowhere yet`,
    inside: (port: number, at: string) =>
      `nothing answers at port ${port} from outside; the application listens at ${at}, for itself only: let it listen at 0.0.0.0`,
    elsewhere: (port: number, at: string) =>
      `nothing answers at port ${port}; the application listens at ${at}: deploy it with that port, or let it listen at ${port}`,
    silent: (port: number, at: string) =>
      `the application listens at ${at}, but does not answer at port ${port} as it should yet`,
  },
  deploying: (phase: string, more: string) => `${phase}… ${more}`,
  cleaned: (order: bigint) => `Order ${order} is clean.`,
  folderLocal: (path: string) => `${path} is a folder: tar c ${path} | rackfair exec -i ORDER -- tar x -C /data`,
  cpUsage: 'Name one local path and one of an order, such as 12:/data/file.',
  isThere: (path: string) => `${path} already exists; --replace overwrites it`,
  keptBeside: (path: string, part: string) => `${path} exists meanwhile; what was fetched is kept as ${part}`,
  copied: (bytes: number) => `${bytes} bytes`,
  notIncluded: (count: number) =>
    `(${count === 1 ? '1 entry' : `${count} entries`} could not be read whole: the last file of the archive says which and why)`,
  copying: (done: number, size: number | undefined) => (size === undefined ? `${done} bytes` : `${done} of ${size} bytes`),
  gap: '-- lines are missing here --',
  needsTty: '-t needs a terminal on stdin and stdout.',
  terminalEnded: 'The terminal ended.',
  noDomains: 'Orders of this provider have no names with HTTPS, so no domain can lead there.',
  badDomain: (domain: string) => `${domain} is no domain.`,
  caaRecord: (record: string) => `So that nobody else gets a certificate for your domain, give it this CAA record: ${record}`,
  caaOpen: {
    anybody: (domain: string) =>
      `${domain} has no CAA record: any authority may certify it, to whoever can answer in its place, such as who runs the provider’s edge.`,
    nobody: (domain: string) => `The CAA record of ${domain} lets nobody issue: the machine gets no certificate for it.`,
    authority: (domain: string, issue: string) =>
      `The CAA record of ${domain} (${issue}) names no account: whoever can answer in its place may get a certificate, too.`,
    account: (domain: string, issue: string) =>
      `The CAA record of ${domain} lets another account than this machine’s issue: ${issue}`,
    alias: (domain: string, target: string) =>
      `${domain} is a CNAME, so who controls ${target} decides who may certify it. To keep others out, give it A and AAAA records with the addresses of that name, a TXT record _rackfair.${domain} that says the name, and a CAA record.`,
    unknown: (domain: string) => `No resolver says now which CAA record ${domain} has. Try again.`,
  },
  pointDomain: (target: string) => `A domain leads here once its CNAME is ${target}; it ends with the order.`,
  noSsh: 'There is no ssh on this machine.',
  noIdentity: 'There is no public key in ~/.ssh: ssh-keygen -t ed25519 makes one, or name one: rackfair ssh ORDER -i FILE.',
  heads: {
    search: ['MACHINE', 'NAME', 'GPU', 'CPU', 'CORES', 'MEMORY', 'DISK', 'DRIVER', 'COUNTRY', 'USD/MONTH', ''],
    ps: ['ORDER', 'MACHINE', 'STATE', 'APP', 'ENDS', 'USD/MONTH', 'PAID'],
    usage: ['', 'USED', 'BOUGHT'],
    reliability: ['', 'MARKET SAYS', 'RECOMPUTED'],
    keys: ['KEY', 'STATE', 'LEFT', 'TOTAL', 'A DAY', 'UNTIL', 'MAY'],
    receipt: ['TIME', 'EVENT', 'SECONDS', 'PAID', 'EARNED', 'REFUNDED', 'COMPENSATED'],
  },
  standings: { startable: 'starts', start_missed: 'not started', active: 'runs', expired: 'over', closed: 'closed' },
  blockers: {
    own_node: 'your own',
    node_gone: 'gone',
    sold: 'sold',
    switched_off: 'off',
    offline: 'offline',
    pledge_too_low: 'pledge too low',
    pledge_locked: 'pledge locked',
  },
  usage: {
    cores: 'processor cores',
    memory: 'memory',
    disk: 'disk',
    network: 'network in / out',
    gpu: (index: number) => `GPU ${index}`,
  },
  total: 'total',
  verified: (parts: string) => `Recomputed from chain and evidence, it agrees: ${parts}`,
  uninterrupted: (days: number) => `no outage in ${days} days`,
  failures: 'outages, by weight',
  observedDays: 'days observed, by weight',
  reliabilityAgrees: (orders: number) =>
    `What the market says follows from the chain and what monitors reported of ${orders} ${orders === 1 ? 'order' : 'orders'}.`,
  reliabilityDiffers: (orders: number) =>
    `What the market says does not follow from the chain and what monitors reported of ${orders} ${orders === 1 ? 'order' : 'orders'}.`,
  refusedReports: (count: number) =>
    `Under no root on the chain, so not counted: ${count} ${count === 1 ? 'report' : 'reports'} that the market shows.`,
  withheldReports: (count: number) =>
    `Published by monitors and not shown by the market: ${count} ${count === 1 ? 'report' : 'reports'}. It holds them back, or has not read them yet.`,
  nothingPromised:
    'Nothing was promised for this order: nothing was deployed on it, or the cluster of its provider names images by tags.',
  promised: (digest: string) => `promised: sha256:${digest}`,
  recorded: (asPromised: number, otherwise: number) =>
    otherwise === 0
      ? `Monitors recorded it in ${asPromised} epochs of the last five periods, and no other.`
      : `Monitors recorded it in ${asPromised} epochs of the last five periods, and another image in ${otherwise}.`,
  confirmProve: 'Send the proof to the chain? It costs gas; what it proves is refunded as downtime.',
  proved: (hash: string) => `proved: ${hash}`,
  compared: { order: 'figures of the order', money: 'amounts', time: 'seconds and figures', downtime: 'reports and sums' },
  differs: (count: number) => (count === 1 ? 'One figure differs:' : `${count} figures differ:`),
  difference: (where: string, said: string, found: string) => `${where}: the receipt says ${said}, the chain ${found}`,
  receiptLine: (row: number) => `line ${row}`,
  sample: (name: string) => `${name} (sample: its hardware is only simulated)`,
  more: (count: number) => `${count} machines match; --limit shows more.`,
  errors: {
    platform_unreachable: () =>
      'The market does not answer. Nothing was changed; try again, or name another one with --platform.',
    rpc_unreachable: () => 'The chain does not answer. Try again, or name another RPC with --rpc.',
    provider_offline: () => 'The provider’s machine is not connected to the market now. Try again later.',
    insufficient_credit: (facts: ErrorFacts) =>
      `There is not enough Credit: ${usd(facts.neededWei)} USD is needed, the account has ${usd(facts.haveWei)}.`,
    insufficient_gas: () => 'The account cannot pay the gas of the transaction.',
    FeeTooHigh: (facts: ErrorFacts) =>
      `The price is ${usd(facts.fee)} USD, above the limit of ${usd(facts.maxFee)}. Nothing was paid.`,
    hardware_not_verified: () =>
      'Monitors have not verified the hardware of this machine as you asked. Nothing was paid; rackfair search --verified lists those that are verified.',
    BudgetTooLow: (facts: ErrorFacts) =>
      `This costs ${usd(facts.amount)} USD, and the key has ${usd(facts.left)} left to spend. Nothing was paid.`,
    KeyNotValid: () =>
      'The key has no grant of the purse, or it was revoked or has expired. Nothing was paid; rackfair key grant gives one.',
    RightMissing: () => 'The key does not have the right to do this. Nothing was changed; rackfair key grant changes it.',
    OtherKeysOrder: () => 'The key may act only for orders that it bought, or that the owner gave to it. Nothing was changed.',
    ProviderNotGranted: () => 'The key may not buy from this provider. Nothing was paid; choose another machine.',
    PriceAboveLimit: () => 'The machine costs more than the key may pay. Nothing was paid; choose a cheaper one.',
    TermAboveLimit: () => 'The order would last longer than the key may pay for. Nothing was paid.',
    NotPurseOwner: () => 'Only the owner of the purse may do this. Nothing was changed.',
    NodeSold: () => 'The machine is sold. rackfair search lists those that are not.',
    StaleNode: () => 'The machine has changed since it was quoted. Nothing was paid; look at it again.',
    DurationOutOfBounds: (facts: ErrorFacts) =>
      Number(facts.duration) < Number(facts.min)
        ? `The machine is sold for at least ${durationInWords(Number(facts.min), 'en')}. Nothing was paid; choose a longer time or another machine.`
        : 'An order has at most 120 months ahead of it. Nothing was paid; choose a shorter time.',
    NodeOffline: () => 'The machine is switched off by its provider. Nothing was paid.',
    FreePledgeTooLow: () => 'The provider’s pledge is locked behind other orders. Nothing was paid; choose another machine.',
    PledgeTooLow: () => 'The provider has pledged less than 1 USD. Nothing was paid; choose another machine.',
    OwnNode: () => 'A provider cannot buy its own machine. Nothing was paid.',
    ConditionsChanged: () =>
      'The conditions of new orders have changed since you were asked. Nothing was paid; run it again and read them.',
    EntriesPaused: () => 'New orders are paused for safety. Nothing was paid; cancel works as always.',
    Draining: () =>
      'The market has moved to a new version. Nothing was paid; rackfair move carries an order there, where it can be extended.',
    NowhereToMove: () => 'The order is already in the current version of the market. Nothing was changed.',
    NotDownForADay: () =>
      'The final reports do not say that the machine was away for 24 hours without a break. Nothing was changed; rackfair cancel closes an order of your own at any time.',
    OrderEnded: () => 'The time of the order is over. Nothing was paid.',
    WrongStatus: () => 'The order is already closed, or is not running yet.',
    NotUser: () => 'The order belongs to another account.',
    order_not_owned: () => 'The order belongs to another account.',
    service_unknown: () => 'The application of this order has no service of that name; the file that was deployed names them.',
    app_not_running: () => 'No application is running on this order. rackfair deploy starts one.',
    file_exists: () => 'The file already exists; --replace overwrites it.',
    upload_in_progress: () => 'The file is being uploaded already. Try again once that is done.',
    workspace_unsupported: () => 'This provider’s machine does not offer that.',
    transaction_timeout: () => 'The transaction has not been mined yet but still may be: check rackfair ps before you try again.',
    transaction_unknown: () => 'It is not known whether the transaction was mined: check rackfair ps before you try again.',
    text_too_old: (facts: ErrorFacts) =>
      facts.minutesBehind === undefined
        ? 'The signed request is too old. Nothing was changed; run it again.'
        : `Your clock is ${facts.minutesBehind} min behind. Nothing was changed; set it, then run it again.`,
    text_in_future: (facts: ErrorFacts) =>
      facts.minutesAhead === undefined
        ? 'The signed request is dated later than the clock of the machine that checked it. Nothing was changed; check your clock.'
        : `Your clock is ${facts.minutesAhead} min ahead. Nothing was changed; set it, then run it again.`,
    wrong_network: () => 'The RPC serves a different chain from the market’s.',
    not_deployed_on_chain: () => 'There is no market at the Access address on this chain.',
  } satisfies Record<string, (facts: ErrorFacts) => string>,
}
