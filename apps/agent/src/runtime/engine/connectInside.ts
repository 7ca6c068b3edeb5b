import { spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import { AppError } from '@rackfair/rules/errors/AppError'

/** Runs as nobody, without privileges that a set-user-id program could restore. */
const NOBODY = '65534'
const BARE = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
]
const CONNECTED = '+'

/**
 * Connects to a port of this machine's loopback, says so, and passes bytes between it and its own input and output; each half ends by
 * itself. In perl, which every Debian has and which is there at once.
 */
const PASS = `
use strict; use Socket;
my $port = shift;
sub dial { my ($family, $address) = @_; my $s; socket($s, $family, SOCK_STREAM, 0) && connect($s, $address) ? $s : undef }
my $s = dial(AF_INET, pack_sockaddr_in($port, INADDR_LOOPBACK))
  || dial(AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, '::1'))) or exit 7;
syswrite(STDOUT, '${CONNECTED}');
sub pass { my ($from, $to) = @_;
  while ((my $n = sysread($from, my $bytes, 65536) || 0) > 0) {
    for (my $at = 0; $at < $n;) { my $w = syswrite($to, $bytes, $n - $at, $at); return unless defined $w; $at += $w }
  }
}
my $child = fork();
if ($child == 0) { close STDOUT; pass(*STDIN, $s); shutdown($s, 1); exit 0 }
close STDIN; pass($s, *STDOUT); close STDOUT; waitpid($child, 0);
`

/** A connection to a port of the loopback in the network namespace of a process. @throws AppError `app_not_running` where nothing listens. */
export function connectInside(pid: number, port: number): Promise<Duplex> {
  const child = spawn('nsenter', [`--net=/proc/${pid}/ns/net`, 'setpriv', ...BARE, 'perl', '-e', PASS, String(port)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    // Its own process group: a relay to a program that never reads can only be killed.
    detached: true,
  })
  const end = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  for (const stream of child.stdio) stream?.on('error', () => {})
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new AppError('app_not_running', `nothing listens at port ${port} inside`))
    child.on('error', refuse)
    child.stdout.once('end', refuse)
    child.stdout.once('readable', () => {
      if (child.stdout.read(1)?.toString() !== CONNECTED) return refuse()
      const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
      stream.on('error', () => {})
      stream.once('close', end)
      resolve(stream)
    })
  })
}
