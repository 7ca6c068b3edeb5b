import type { Setting } from './settings.ts'

/** What a flag does: it is read, or has the fate of its setting. */
export type Flag = { takes: 'value' | 'switch'; does: Setting | 'read' }

const all = (takes: Flag['takes'], does: Flag['does'], names: string): [string, Flag][] =>
  names.split(' ').map((name) => [`--${name}`, { takes, does }])

/** Every flag of `docker run`, `podman run` and `nerdctl run` (Docker 28, podman 5, nerdctl 2). */
const FLAGS: ReadonlyMap<string, Flag> = new Map([
  ...all('value', 'read', 'env env-file publish volume mount tmpfs user workdir expose entrypoint shm-size'),
  ...all('switch', 'read', 'publish-all'),
  ...all(
    'value',
    'label',
    'name hostname domainname label label-file annotation cidfile conmon-pidfile pidfile pod-id-file uuid',
  ),
  ...all('value', 'attachment', 'attach detach-keys preserve-fd preserve-fds'),
  ...all('switch', 'attachment', 'detach interactive tty quiet sig-proxy no-hosts no-hostname replace rmi passwd'),
  ...all('value', 'logging', 'log-driver log-opt'),
  ...all('value', 'names', 'add-host dns dns-option dns-opt dns-search hosts-file'),
  ...all('value', 'network', 'network-alias net-alias ip ip6 mac-address'),
  ...all('value', 'stop', 'stop-signal stop-timeout timeout'),
  ...all('value', 'groups', 'group-add umask passwd-entry group-entry'),
  ...all('switch', 'groups', 'group-add-keep'),
  ...all('switch', 'restart', 'rm'),
  ...all('value', 'restart', 'restart'),
  ...all('value', 'valuesFile', 'env-merge unsetenv'),
  ...all('switch', 'valuesFile', 'env-host http-proxy unsetenv-all'),
  ...all('value', 'pull', 'pull decryption-key retry retry-delay authfile cert-dir creds signature-policy verify'),
  ...all('switch', 'pull', 'disable-content-trust tls-verify'),
  ...all('value', 'platform', 'platform arch os variant runtime runtime-flag isolation snapshotter'),
  ...all('value', 'resources', 'blkio-weight blkio-weight-device cpu-count cpu-percent cpu-period cpu-quota cpu-rt-period'),
  ...all('value', 'resources', 'cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems device-read-bps device-read-iops'),
  ...all('value', 'resources', 'device-write-bps device-write-iops gpus io-maxbandwidth io-maxiops kernel-memory memory'),
  ...all('value', 'resources', 'memory-reservation memory-swap memory-swappiness oom-score-adj pids-limit'),
  ...all('value', 'resources', 'shm-size-systemd storage-opt ulimit rdt-class cgroup-conf'),
  ...all('switch', 'resources', 'oom-kill-disable'),
  ...all('value', 'health', 'health-cmd health-interval health-retries health-start-interval health-start-period health-timeout'),
  ...all('value', 'health', 'health-on-failure health-startup-cmd health-startup-interval health-startup-retries'),
  ...all('value', 'health', 'health-startup-success health-startup-timeout health-log-destination health-max-log-count'),
  ...all('value', 'health', 'health-max-log-size sdnotify'),
  ...all('switch', 'health', 'no-healthcheck'),
  ...all('switch', 'walls', 'init'),
  ...all('value', 'walls', 'cap-drop'),
  ...all('value', 'label', 'init-path systemd sd-notify seccomp-policy image-volume'),
  ...all('switch', 'readOnly', 'read-only'),
  ...all('switch', 'walls', 'read-only-tmpfs'),
  ...all('value', 'capability', 'cap-add'),
  ...all('value', 'device', 'device'),
  ...all('value', 'privilege', 'device-cgroup-rule sysctl cgroup-parent gidmap uidmap subgidname subuidname'),
  ...all('switch', 'privilege', 'privileged use-api-socket'),
  ...all('value', 'ipc', 'ipc'),
  ...all('value', 'namespace', 'pid uts userns cgroupns cgroups'),
  ...all('value', 'networkMode', 'network net'),
  ...all('value', 'security', 'security-opt'),
  ...all('value', 'otherContainer', 'link volumes-from pod requires init-ctr'),
  ...all('value', 'otherFile', 'secret chrootdirs'),
  ...all('value', 'unsupported', 'volume-driver rootfs personality link-local-ip'),
])

/** The letters for flags. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ a: '--attach', c: '--cpu-shares', d: '--detach', e: '--env', h: '--hostname', i: '--interactive', l: '--label' },
  ...{ m: '--memory', p: '--publish', P: '--publish-all', q: '--quiet', t: '--tty', u: '--user', v: '--volume', w: '--workdir' },
}

/** As these flags are called most often. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ '--env': '-e', '--publish': '-p', '--volume': '-v', '--user': '-u', '--workdir': '-w' },
}

export interface GivenFlag {
  /** As it is shown: `-e`, `--gpus`. */
  name: string
  /** Undefined for a flag that is not one of Docker's. */
  flag: Flag | undefined
  /** What is glued to it, as in `--env=A`, `-p80`. */
  value?: string
}

/** Takes one word apart: `--env=A=1` is a flag with its value, `-p80:80` a letter with it, `-itd` three switches. */
export function givenFlags(word: string): GivenFlag[] {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=')
    const long = equals < 0 ? word : word.slice(0, equals)
    return [{ name: SHORT[long] ?? long, flag: FLAGS.get(long), ...(equals < 0 ? {} : { value: word.slice(equals + 1) }) }]
  }
  const given: GivenFlag[] = []
  for (let at = 1; at < word.length || given.length === 0; at += 1) {
    const letter = word[at] ?? ''
    const flag = FLAGS.get(LETTERS[letter] ?? '')
    const name = `-${letter}`
    const rest = word.slice(at + 1)
    if (flag?.takes === 'switch' && !rest.startsWith('=')) given.push({ name, flag })
    else {
      given.push({ name: flag ? name : `-${word.slice(at)}`, flag, ...(rest === '' ? {} : { value: rest.replace(/^=/, '') }) })
      break
    }
  }
  return given
}
