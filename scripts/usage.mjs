const texts = {
  start: `npm start [-- options]        brings up the whole market on this machine

  --port N           web and API          (3000)
  --rpc-port N       chain                (8545)
  --gateway-port N   provider's gateway   (7070)
  --state DIR        chain, databases, keys of this market   (.rackfair)
  --images DIR       built images, which several markets may share   (.rackfair/images)
  --site FILE        links and WalletConnect, as in the guide for operators
  --reset            start over: forgets chain, orders and databases of this market
  --sample           five more providers, whose hardware is only simulated; what they run is real
  --edge             an edge, and names with https for applications, below localhost
  --edge-port N      the first of its six ports: names with https   (9443)
  --no-agent         no provider on this machine
  --no-monitors      nobody who measures downtime
  --no-install       install nothing; say what is missing
  --help             this text

Ctrl-C stops everything that was started, and nothing else.`,
  dev: 'npm run dev [-- options]      as npm start, with hot reload of the web app; the same options',
  test: `npm test [-- options]         runs every check and ends with the counts

  --all              also what passed before and read nothing that has changed since; CI=true does the same
  --deep             full counts of every randomised campaign (npm run test:deep)
  --only NAME[,..]   only these steps; a wrong name lists them
  --no-install       install no system packages; what needs them is skipped and counted
  --help             this text`,
  bench: 'npm run bench [-- NAME]       measures, prints tables; a wrong name lists the benchmarks',
  exec: `npm run tool -- NAME [ARGUMENTS]   a program of the checkout, with its Node

  reliability PROVIDER[/NODE]   recomputes what the market says about a machine or a provider
  node FILE                     any other program
  NAME --help                   what it can do`,
  cluster: `npm run cluster [-- COMMAND]  runs a command, or a shell, beside a real Kubernetes of one node (root, Debian 12)

  --build            only builds it, once for this machine: 400 s of processor time, into ~/.cache/rackfair`,
}

/** The help text of a command. */
export function usage(command) {
  return texts[command] ?? Object.values(texts).join('\n\n')
}
