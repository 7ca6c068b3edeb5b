import { PRESET_IDS } from '@rackfair/rules/presets'
import { Command, CommanderError, Option } from 'commander'
import { completion } from './commands/completion.ts'
import { clean, deploy } from './commands/deploy.ts'
import { addDomain, listDomains, removeDomain } from './commands/domain.ts'
import { image } from './commands/image.ts'
import { grant, importKey, keyAddress, listKeys, newKey, revoke } from './commands/key.ts'
import { buy, cancel, close, extend, move, search } from './commands/market.ts'
import { account, faucet, ps, receipt } from './commands/orders.ts'
import { deposit, makePurse, purse, withdraw } from './commands/purse.ts'
import { reliability } from './commands/reliability.ts'
import { keep, order } from './commands/renewal.ts'
import { proxy, ssh } from './commands/ssh.ts'
import { cp, exec, logs, run, usage } from './commands/use.ts'
import { visit } from './commands/visit.ts'
import { EXIT, exitCodeOf, isAbort } from './exitCodes.ts'
import { createSession, type GlobalOptions, type Session, sentenceOf } from './session.ts'
import { createOutput, toJson } from './terminal/output.ts'
import { type Texts, textsOf } from './texts/index.ts'
import { VERSION } from './version.ts'

/** Resolves to an exit code; 0 by default. */
type Work = (session: Session, ...args: never[]) => Promise<unknown>

/** Runs one command line and exits the process with its code. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const text = textsOf(process.env)
  const stopping = new AbortController()
  /** What was sent or paid, reported on an interrupt. */
  const spent: string[] = []
  let isRunning = false
  let json = false
  let exitCode: number = EXIT.ok
  process.on('SIGINT', () => {
    if (stopping.signal.aborted || !isRunning) endInterrupted(text, spent)
    process.stderr.write(`\n${text.stopping}\n`)
    stopping.abort(new DOMException(text.interrupted, 'AbortError'))
  })
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok)
    throw error
  })

  const act =
    (work: Work) =>
    async (...args: unknown[]) => {
      const command = args.at(-1) as Command
      const options = command.optsWithGlobals<GlobalOptions>()
      json = options.json === true
      isRunning = true
      const session = createSession(options, stopping.signal, spent)
      try {
        const ended = await work(session, ...(args.slice(0, -1) as never[]))
        exitCode = typeof ended === 'number' ? ended : EXIT.ok
      } finally {
        session.close()
      }
    }
  const program = createProgram(text, act)
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage)
    if (isAbort(error) || stopping.signal.aborted) endInterrupted(text, spent)
    exitCode = codeOf(argv, error)
    tell(json, text, error)
    for (const line of spent) createOutput({ json: false }).note(line)
  }
  process.exit(exitCode)
}

const collect = (value: string, before: string[] = []) => [...before, value]

const withAppFlags = (one: Command, flags: Texts['flags']): Command =>
  one
    .option('--image <image>', flags.image)
    .option('-p, --port <port>', flags.port, collect)
    .option('--http <port>', flags.http)
    .option('-f, --file <file>', flags.file)
    .option('-e, --env <name=value>', flags.env, collect)
    .option('--secret <name=value>', flags.secret, collect)
    .option('--env-file <file>', flags.envFile)
    .option('--with <name=what>', flags.with, collect)
    .option('--command <words>', flags.command)
    .option('--job', flags.job)

function createProgram(text: Texts, act: (work: Work) => (...args: unknown[]) => Promise<void>): Command {
  const { commands: about, flags, options } = text
  const program = new Command('rackfair')
    .description(text.about)
    .version(VERSION)
    .option('--platform <url>', options.platform, collect)
    .option('--rpc <url>', options.rpc)
    .option('--access <address>', options.access)
    .option('--keystore <file>', options.keystore)
    .option('--purse <address>', options.purse)
    .option('--json', options.json)
    .option('-y, --yes', options.yes)
    .addHelpText('after', `\n${text.after}`)
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError(text.seeHelp)
  /** The global options may follow the command too; its help lists the two that people look for there. */
  const command = (name: string, description: string, parent = program) =>
    parent
      .command(name)
      .description(description)
      .option('--json', options.json)
      .option('-y, --yes', options.yes)
      .addOption(new Option('--platform <url>').argParser(collect).hideHelp())
      .addOption(new Option('--rpc <url>').hideHelp())
      .addOption(new Option('--access <address>').hideHelp())
      .addOption(new Option('--keystore <file>').hideHelp())
      .addOption(new Option('--purse <address>').hideHelp())
  const withFilter = (one: Command) =>
    one
      .option('--gpu <model>', flags.gpu)
      .option('--min-gpus <n>', flags.minGpus)
      .option('--min-memory <gb>', flags.minMemory)
      .option('--min-disk <gb>', flags.minDisk)
      .option('--min-vram <gb>', flags.minVram)
      .option('--verified', flags.verified)
      .option('--min-cores <n>', flags.minCores)
      .option('--min-driver <version>', flags.minDriver)
      .option('--region <country>', flags.region)
      .option('--max-price-month <usd>', flags.maxPriceMonth)
  const withHardware = (one: Command) => one.option('--min-class <n>', flags.minClass).option('--max-age <hours>', flags.maxAge)
  const withApp = (one: Command) => withAppFlags(one, flags)

  withFilter(command('search [words...]', about.search))
    .option('-a, --all', flags.all)
    .option('-n, --limit <n>', flags.limit)
    .action(act(search))
  withHardware(withFilter(command('buy [machine]', about.buy)))
    .option('--cheapest', flags.cheapest)
    .option('--for <time>', flags.for)
    .option('-m, --months <n>', flags.months)
    .option('--max-price <usd>', flags.maxPrice)
    .option('--once <name>', flags.once)
    .action(act(buy))
  withApp(command('deploy <order> [preset]', about.deploy)).option('--once <name>', flags.deployOnce).action(act(deploy))
  command('clean <order>', about.clean).action(act(clean))
  command('ps', about.ps).option('-a, --all', flags.allOrders).action(act(ps))
  command('order <order>', about.order).action(act(order))
  command('logs <order>', about.logs)
    .option('-f, --follow', flags.follow)
    .option('-n, --tail <lines>', flags.tail)
    .option('-t, --time', flags.time)
    .option('--raw', flags.raw)
    .option('--cursor <cursor>', flags.cursor)
    .option('--service <name>', flags.service)
    .action(act(logs))
  command('exec <order> <command...>', about.exec)
    .option('-i, --interactive', flags.interactive)
    .option('-t, --tty', flags.tty)
    .option('-w, --workdir <folder>', flags.workdir)
    .option('-e, --env <name=value>', flags.env, collect)
    .option('--service <name>', flags.service)
    .passThroughOptions()
    .action(act(exec))
  withApp(withHardware(withFilter(command('run [command...]', about.run))))
    .option('--cheapest', flags.cheapest)
    .option('--order <order>', flags.order)
    .option('--preset <name>', flags.preset)
    .option('--for <time>', flags.for)
    .option('-m, --months <n>', flags.months)
    .option('--max-price <usd>', flags.maxPrice)
    .option('-o, --output <remote=local>', flags.output, collect)
    .option('--keep', flags.keep)
    .passThroughOptions()
    .action(act(run))
  command('cp <from> <to>', about.cp).option('--replace', flags.replace).option('--service <name>', flags.service).action(act(cp))
  command('ssh <order> [args...]', about.ssh).option('-i, --identity <file>', 'ssh -i').passThroughOptions().action(act(ssh))
  command('visit <order> [domain]', about.visit).action(act(visit))
  const domain = command('domain', about.domain)
  command('list <order>', about.domainList, domain).action(act(listDomains))
  command('add <order> <domain>', about.domainAdd, domain).action(act(addDomain))
  command('remove <order> <domain>', about.domainRemove, domain).action(act(removeDomain))
  command('proxy [order]', about.proxy).option('--socket <path>').action(act(proxy))
  command('usage <order>', about.usage)
    .option('-w, --watch', flags.watch)
    .option('--service <name>', flags.service)
    .action(act(usage))
  command('extend <order>', about.extend)
    .option('--for <time>', flags.for)
    .option('-m, --months <n>', flags.months)
    .option('--max-price <usd>', flags.maxPrice)
    .action(act(extend))
  command('cancel <order>', about.cancel).action(act(cancel))
  command('close <order>', about.close).action(act(close))
  command('move <order>', about.move).action(act(move))
  command('receipt <order>', about.receipt).option('--verify', flags.verify).action(act(receipt))
  command('reliability <machine>', about.reliability).option('--monitors', flags.monitors).action(act(reliability))
  command('image <order>', about.image).option('--prove', flags.prove).action(act(image))
  command('account', about.account).action(act(account))
  command('faucet', about.faucet).action(act(faucet))
  addKeys(command, text, act)
  command('completion <shell>', about.completion).action(
    act(async (session: Session, shell: string) => completion(session, program, Object.keys(PRESET_IDS), shell)),
  )
  return program
}

/** The keystore, and the purse with its keys. */
function addKeys(
  command: (name: string, description: string, parent?: Command) => Command,
  { commands: about, flags }: Texts,
  act: (work: Work) => (...args: unknown[]) => Promise<void>,
): void {
  const key = command('key', about.key)
  for (const [name, description, work] of [
    ['new', about.keyNew, newKey],
    ['import', about.keyImport, importKey],
    ['address', about.keyAddress, keyAddress],
  ] as const)
    command(name, description, key).action(act(work))
  command('grant [address]', about.keyGrant, key)
    .option('--total <usd>', flags.total)
    .option('--per-day <usd>', flags.perDay)
    .option('--max-month <usd>', flags.maxMonth)
    .option('--max-gpu-hour <usd>', flags.maxGpuHour)
    .option('--max-hours <n>', flags.maxHours)
    .option('--days <n>', flags.days)
    .option('--provider <address>', flags.provider, collect)
    .option('--may <rights>', flags.may)
    .action(act(grant))
  command('list', about.keyList, key).action(act(listKeys))
  command('revoke <address>', about.keyRevoke, key).action(act(revoke))
  const ofPurse = command('purse', about.purse).action(act(purse))
  command('create', about.purseCreate, ofPurse).action(act(makePurse))
  command('deposit <usd>', about.purseDeposit, ofPurse).action(act(deposit))
  command('keep <order>', about.purseKeep, ofPurse)
    .option('--for <time>', flags.keepFor)
    .option('--step <time>', flags.step)
    .option('--max-month <usd>', flags.keepMonth)
    .option('--max-tip <usd>', flags.maxTip)
    .option('--stop', flags.stop)
    .action(act(keep))
  command('withdraw <usd>', about.purseWithdraw, ofPurse).option('--usdt', flags.usdt).action(act(withdraw))
}

/** The exit code of `exec` and `run` is the command's, so their own failures use one that commands hardly use. */
function codeOf(argv: readonly string[], error: unknown): number {
  const own = exitCodeOf(error)
  const runsCommand = argv.find((word) => word === 'exec' || word === 'run' || !word.startsWith('-'))
  return (runsCommand === 'exec' || runsCommand === 'run') && own !== EXIT.usage ? EXIT.execFailed : own
}

/** As JSON on stdout for programs, as text on stderr for people. */
function tell(json: boolean, text: Texts, error: unknown): void {
  const { code, message } = sentenceOf(error, text)
  if (json) process.stdout.write(`${toJson({ error: { code, message } })}\n`)
  else createOutput({ json: false }).note(`rackfair: ${message} (${code})`)
}

function endInterrupted(text: Texts, spent: readonly string[]): never {
  const output = createOutput({ json: false })
  output.note(text.interrupted)
  for (const line of spent.length > 0 ? spent : [text.nothingPaid]) output.note(line)
  process.exit(EXIT.interrupted)
}
