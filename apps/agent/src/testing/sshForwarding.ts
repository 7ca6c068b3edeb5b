import { connect } from 'node:net'
import { runCommand } from '../foundation/runCommand.ts'

/** A command for a shell inside: listens on a loopback port and answers the byte count of each connection. */
export const countingServer = (port: number): string => {
  const listening = `use IO::Socket; $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => ${port}, ReuseAddr => 1);`
  const answering = 'while ($c = $s->accept) { local $/; my $all = <$c>; print $c length($all), " bytes"; close $c }'
  return `setsid perl -e '${listening} ${answering}' >/dev/null 2>&1 &`
}

/** Sends all of it to a port of this machine, and returns the response; empty if nothing listens. */
export const sayTo = (port: number, bytes: Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => socket.end(bytes))
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(heard))
    socket.once('end', () => socket.end())
  })

/** This machine's rsync for a folder inside that has none: the files to copy there, and the command to call. */
export async function rsyncFor(folder: string): Promise<{ files: string[]; path: string }> {
  const { stdout } = await runCommand('ldd', ['/usr/bin/rsync'])
  const libraries = [...stdout.matchAll(/=> (\S+)/g)].map(([, file = '']) => file)
  return { files: ['/usr/bin/rsync', ...libraries], path: `--rsync-path=LD_LIBRARY_PATH=${folder} ${folder}/rsync` }
}
