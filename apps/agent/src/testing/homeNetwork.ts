import { execFileSync, spawnSync } from 'node:child_process'

/** Addresses of the internet beyond two routers. */
export const INTERNET = { edges: ['203.0.113.10', '203.0.113.11'], authority: '203.0.113.30' } as const
const SPACES = ['internet', 'carrier', 'router', 'visitor'] as const
export type Space = (typeof SPACES)[number]

/** A router passes on what its inside began, by an address of its own, and nothing else. */
const ROUTER = `table ip router {
  chain leaves { type nat hook postrouting priority srcnat
    oifname wan masquerade
  }
  chain passes { type filter hook forward priority filter; policy drop
    ct state established,related accept
    iifname lan accept
  }
  chain arrives { type filter hook input priority filter; policy drop
    iifname lo accept
    ct state established,related accept
  }
}
`

const run = (command: string, input?: string): string =>
  execFileSync('sh', ['-euc', command], { encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], ...(input ? { input } : {}) })

/** Why no home can be made of this network; undefined if it can. It changes the way out, so only where nobody else uses that. */
export function whyNoHome(): string | undefined {
  if (process.env.RACKFAIR_NAMESPACE !== '1') return 'skipped: it changes routes, so it needs a network of its own'
  return spawnSync('nft', ['--version']).status === 0 ? undefined : 'skipped: there is no nft'
}

/**
 * Makes a home of this network: its only way out leads through its own router and that of the carrier, both of which translate addresses
 * and let nobody in. Visitors have a network beyond.
 */
export function openHome() {
  const route = run('ip route show default').trim()
  const leave = () => run(`for one in ${SPACES.join(' ')}; do ip netns delete $one 2>/dev/null || true; done`)
  leave()
  run(`
for one in ${SPACES.join(' ')}; do ip netns add $one; ip -netns $one link set lo up; done
ip link add home type veth peer name lan netns router
ip -netns router link add wan type veth peer name lan netns carrier
ip -netns carrier link add wan type veth peer name net netns internet
ip -netns internet link add far type veth peer name net netns visitor
address() { ip -netns $1 address add $3 dev $2; ip -netns $1 link set $2 up; }
ip address add 192.168.77.2/24 dev home; ip link set home up
address router lan 192.168.77.1/24; address router wan 100.64.7.2/24
address carrier lan 100.64.7.1/24; address carrier wan 203.0.113.2/24
address internet net 203.0.113.1/24; address internet far 192.0.2.1/24; address visitor net 192.0.2.2/24
for one in ${[...INTERNET.edges, INTERNET.authority].join(' ')}; do ip -netns internet address add $one/24 dev net; done
ip route replace default via 192.168.77.1
ip -netns router route add default via 100.64.7.1
ip -netns carrier route add default via 203.0.113.1
ip -netns visitor route add default via 192.0.2.1
for one in router carrier; do nsenter --net=/run/netns/$one sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'; done
`)
  for (const one of ['router', 'carrier'] as const)
    execFileSync('nsenter', [...inside(one).slice(1), 'nft', '-f', '-'], { input: ROUTER })
  return {
    /** The home is given another address by the carrier, as at night: what was open is not, and nobody is told. */
    changeAddress: () =>
      run(
        'ip -netns carrier address delete 203.0.113.2/24 dev wan; ip -netns carrier address add 203.0.113.3/24 dev wan; ip -netns carrier route replace default via 203.0.113.1',
      ),
    close(): void {
      leave()
      if (route !== '') run(`ip route replace ${route}`)
    },
  }
}

/** What runs a program in one of the networks. */
export const inside = (space: Space): string[] => ['nsenter', `--net=/run/netns/${space}`]
