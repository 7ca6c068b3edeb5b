import { type DayRecord, reliability } from '../reliability.ts'

/** Outages per day of a host, `at` days after it joined. */
type FailureLaw = (at: number) => number

/** Models of hosts: steady ones whose rates spread as in the prior or wider, and ones that get better or worse over the years. */
export const FAILURE_LAWS: Record<string, (random: Random) => FailureLaw> = {
  steady: (random) => constant(random.exponential(0.1)),
  'steady, log-normal': (random) => constant(Math.exp(Math.log(0.05) + 1.2 * random.normal())),
  ageing(random) {
    const [rate, change] = [random.exponential(0.1), 2 ** (0.7 * random.normal())]
    return (at) => rate * change ** (at / 365)
  },
}

const constant =
  (rate: number): FailureLaw =>
  () =>
    rate

/** Scores of simulated hosts, each with the truth of its own law for the coming days. */
export interface ScoredHost {
  /** By the law: the probability of no outage in the coming days. */
  truth: number
  /** The outcome: 1 without an outage, 0 with one. */
  outcome: 0 | 1
  ours: number
  /** Share of minutes up over 30 days, with ten minutes forgiven (docs.runpod.io, "Maintenance and reliability"). */
  runpod: number
  /** Share of minutes up over 7 days. */
  sevenDays: number
}

/** `count` hosts, observed for 1 to 400 days, scored for the next `days`. Deterministic by seed. */
export function simulateHosts(
  law: (random: Random) => FailureLaw,
  options: { count: number; days: number; seed: number },
): ScoredHost[] {
  const random = createRandom(options.seed)
  return Array.from({ length: options.count }, () => scoreHost(law(random), options.days, random))
}

function scoreHost(law: FailureLaw, days: number, random: Random): ScoredHost {
  const watched = 1 + Math.floor(random.uniform() * 400)
  const records: DayRecord[] = []
  let [minutes30, minutes7] = [0, 0]
  for (let day = 0; day < watched; day += 1) {
    let outages = 0
    for (let at = random.exponential(1 / law(day)); at < 1; at += random.exponential(1 / law(day))) {
      const minutes = 5 + random.exponential(55)
      outages += 1
      if (day >= watched - 30) minutes30 += minutes
      if (day >= watched - 7) minutes7 += minutes
    }
    records.push({ day, observedSeconds: 86_400, outages, brokenOrders: 0 })
  }
  let expected = 0
  for (let day = watched; day < watched + days; day += 1) expected += law(day)
  const truth = Math.exp(-expected)
  return {
    truth,
    outcome: random.uniform() < truth ? 1 : 0,
    ours: reliability(records, { today: watched, days }),
    runpod: Math.max(0, Math.min(1, (43_200 - minutes30 + 10) / 43_200)),
    sevenDays: Math.max(0, 1 - minutes7 / 10_080),
  }
}

/** Mean squared error of a forecast (Brier 1950). */
export function brierScore(hosts: readonly ScoredHost[], forecast: (host: ScoredHost) => number): number {
  return mean(hosts.map((host) => (forecast(host) - host.outcome) ** 2))
}

/** Hosts in deciles by forecast: the mean forecast of each, and its true mean. */
export function calibration(hosts: readonly ScoredHost[], forecast: (host: ScoredHost) => number) {
  const sorted = [...hosts].sort((a, b) => forecast(a) - forecast(b))
  return Array.from({ length: 10 }, (_, part) => {
    const some = sorted.slice((part * sorted.length) / 10, ((part + 1) * sorted.length) / 10)
    return { said: mean(some.map(forecast)), truth: mean(some.map(({ truth }) => truth)) }
  })
}

/** The best calibration of a score that is no probability: each of its deciles gets the share that came true in it. */
export function recalibrated(hosts: readonly ScoredHost[], score: (host: ScoredHost) => number): (host: ScoredHost) => number {
  const sorted = [...hosts].sort((a, b) => score(a) - score(b))
  const share = new Map<ScoredHost, number>()
  for (let part = 0; part < 10; part += 1) {
    const some = sorted.slice((part * sorted.length) / 10, ((part + 1) * sorted.length) / 10)
    const came = mean(some.map(({ outcome }) => outcome))
    for (const host of some) share.set(host, came)
  }
  return (host) => share.get(host) ?? 0
}

/**
 * The row of `docs/reliability.md` for these hosts: Brier scores of each forecast and of the others after recalibration, and the largest
 * calibration error of ours.
 */
export function scoreRow(name: string, days: number, hosts: readonly ScoredHost[]): string {
  const { runpod, sevenDays } = { runpod: (host: ScoredHost) => host.runpod, sevenDays: (host: ScoredHost) => host.sevenDays }
  const scores = [(host: ScoredHost) => host.ours, runpod, recalibrated(hosts, runpod), sevenDays, recalibrated(hosts, sevenDays)]
  const off = calibration(hosts, ({ ours }) => ours).map(({ said, truth }) => Math.abs(said - truth))
  const cells = [
    name,
    `${days} days`,
    ...scores.map((score) => brierScore(hosts, score).toFixed(3)),
    (100 * Math.max(...off)).toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

type Random = ReturnType<typeof createRandom>

/** mulberry32: small, fast, and enough for a simulation. */
function createRandom(seed: number) {
  let state = seed | 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    uniform,
    exponential: (average: number) => -Math.log(1 - uniform()) * average,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  }
}
