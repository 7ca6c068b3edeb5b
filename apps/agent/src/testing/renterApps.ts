/** An application as a renter brings it, and how its own client checks that it works. */
export interface RenterApp {
  name: string
  /** Command of the image, in a shell, with `/data` on the order's disk. */
  start: string
  port: { protocol: 'tcp' | 'udp'; port: number }
  /** Its client, in a shell with `$PORT`, and the expected output. */
  client: string
  says: RegExp
  /** After a stop and a start: the client that finds the kept data. */
  again?: string
  saysAgain?: RegExp
  /** Its packages are also in the image of the short run. */
  short?: true
}

const SSH = 'ssh -i /mnt/key -p $PORT -o UserKnownHostsFile=/mnt/known -o BatchMode=yes'
const WHO = 'root@127.0.0.1 "echo in as \\$(id -un)"'

/** Output of a notebook cell: a kernel is started over HTTP, and the cell is sent over its WebSocket. */
const CELL = `import json, os, sys, urllib.request, websocket
at = "127.0.0.1:" + os.environ["PORT"]
kernel = json.load(urllib.request.urlopen(urllib.request.Request(f"http://{at}/api/kernels?token=hush", b"{}")))["id"]
line = websocket.create_connection(f"ws://{at}/api/kernels/{kernel}/channels?token=hush", timeout=90)
head = {"msg_id": "a", "msg_type": "execute_request", "session": "s", "username": "", "version": "5.3"}
cell = {"code": sys.argv[1], "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
line.send(json.dumps({"header": head, "parent_header": {}, "metadata": {}, "content": cell, "channel": "shell"}))
while True:
  said = json.loads(line.recv())
  if said["msg_type"] == "stream": print(said["content"]["text"])
  if said["msg_type"] == "execute_reply": break`
const cell = (code: string) => `printf '%s' '${CELL}' > /tmp/cell.py; python3 /tmp/cell.py '${code}'`

/** A job that does its work and ends, twice the same way. */
export interface RenterJob {
  name: string
  /** In a shell, in `/data` on the order's disk. */
  does: string
  exitCode: number
  /** Its complete log. */
  says: string
  memoryBytes?: number
}

export const RENTER_JOBS: readonly RenterJob[] = [
  { name: 'a batch job', does: 'echo done', exitCode: 0, says: 'done\n' },
  { name: 'one that crashes', does: 'echo broken >&2; exit 3', exitCode: 3, says: 'broken\n' },
  {
    name: 'one that eats memory',
    does: "echo eats; exec python3 -c 'b = bytearray(600 * 2**20); import time; time.sleep(100)'",
    ...{ exitCode: 137, says: 'eats\n', memoryBytes: 128 * 2 ** 20 },
  },
  {
    name: 'a compiler',
    does: '[ -f a.c ] || echo "int main(void) { return 0; }" > a.c; tcc -o a a.c && ./a && echo built',
    ...{ exitCode: 0, says: 'built\n' },
  },
]

/** Besides PostgreSQL, Redis, nginx, a UDP server, a worker and the four that end. */
export const RENTER_APPS: readonly RenterApp[] = [
  {
    ...{ name: 'sshd', port: { protocol: 'tcp', port: 22 }, short: true },
    start:
      'mkdir -p /run/sshd; [ -f /data/host ] || ssh-keygen -q -t ed25519 -N "" -f /data/host; echo "$AUTHORIZED" > /data/authorized; exec /usr/sbin/sshd -D -e -h /data/host -o UsePAM=no -o StrictModes=no -o AuthorizedKeysFile=/data/authorized',
    client: `${SSH} -o StrictHostKeyChecking=accept-new ${WHO}`,
    says: /^in as root$/m,
    again: `${SSH} -o StrictHostKeyChecking=yes ${WHO}`,
  },
  {
    ...{ name: 'a notebook of Jupyter', port: { protocol: 'tcp', port: 8888 } },
    start:
      'cd /data; exec jupyter-server --allow-root --ip=0.0.0.0 --port=8888 --no-browser --ServerApp.token=hush --ServerApp.root_dir=/data',
    client: cell('open("kept", "w").write("6 times 7"); print(6 * 7)'),
    says: /^42$/m,
    again: cell('print(open("kept").read())'),
    saysAgain: /^6 times 7$/m,
  },
  {
    ...{ name: 'memcached', port: { protocol: 'tcp', port: 11211 } },
    start: 'exec memcached -u nobody -l 0.0.0.0 -v',
    client: 'printf hello > /tmp/word; memccp --servers=127.0.0.1:$PORT /tmp/word; memccat --servers=127.0.0.1:$PORT word',
    says: /^hello$/m,
  },
  {
    ...{ name: 'mosquitto', port: { protocol: 'tcp', port: 1883 } },
    start:
      'printf "listener 1883\\nallow_anonymous true\\npersistence true\\npersistence_location /data/\\nuser root\\n" > /tmp/m.conf; exec mosquitto -c /tmp/m.conf',
    client: 'mosquitto_pub -r -h 127.0.0.1 -p $PORT -t a -m kept; mosquitto_sub -C 1 -W 60 -h 127.0.0.1 -p $PORT -t a',
    says: /^kept$/m,
    again: 'mosquitto_sub -C 1 -W 60 -h 127.0.0.1 -p $PORT -t a',
  },
  {
    ...{ name: 'git daemon', port: { protocol: 'tcp', port: 9418 } },
    start:
      '[ -d /data/a.git ] || git init -q --bare /data/a.git; exec git daemon --verbose --reuseaddr --enable=receive-pack --export-all --base-path=/data',
    client:
      'cd /tmp; git clone -q git://127.0.0.1:$PORT/a.git w; cd w; git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m kept; git push -q origin HEAD:main; git ls-remote git://127.0.0.1:$PORT/a.git',
    says: /refs\/heads\/main/,
    again: 'git ls-remote git://127.0.0.1:$PORT/a.git',
  },
  {
    ...{ name: 'rsync daemon', port: { protocol: 'tcp', port: 873 } },
    start:
      'printf "[data]\\npath=/data\\nread only=no\\nuid=0\\ngid=0\\nuse chroot=no\\n" > /tmp/r.conf; exec rsync --daemon --no-detach --config=/tmp/r.conf',
    client: 'echo kept > /tmp/file; rsync /tmp/file rsync://127.0.0.1:$PORT/data/file; rsync rsync://127.0.0.1:$PORT/data/',
    says: /file$/m,
    again: 'rsync rsync://127.0.0.1:$PORT/data/file /tmp/back; cat /tmp/back',
    saysAgain: /^kept$/m,
  },
  {
    ...{ name: 'a name server', port: { protocol: 'udp', port: 53 } },
    start: 'exec dnsmasq -k -u root --no-resolv --no-hosts --address=/kept.test/192.0.2.7 --log-queries --log-facility=-',
    client: 'dig +short +tries=20 +time=3 -p $PORT @127.0.0.1 kept.test',
    says: /^192\.0\.2\.7$/m,
  },
  {
    ...{ name: 'lighttpd', port: { protocol: 'tcp', port: 80 } },
    start:
      '[ -f /data/page ] || date +%N > /data/page; printf "server.document-root=\\"/data\\"\\nserver.port=80\\n" > /tmp/l.conf; exec lighttpd -D -f /tmp/l.conf',
    client: 'curl -sS http://127.0.0.1:$PORT/page | tee /mnt/page',
    says: /^\d{9}$/m,
    again: 'curl -sS http://127.0.0.1:$PORT/page | cmp - /mnt/page && echo same',
    saysAgain: /^same$/m,
  },
  {
    ...{ name: 'PHP', port: { protocol: 'tcp', port: 8080 } },
    start:
      'echo \'<?php $n = 1 + (int)@file_get_contents("/data/n"); file_put_contents("/data/n", $n); echo "visits $n\\n";\' > /tmp/i.php; exec php -S 0.0.0.0:8080 -t /tmp',
    client: 'curl -sS http://127.0.0.1:$PORT/i.php',
    says: /^visits 1$/m,
    saysAgain: /^visits 2$/m,
  },
  {
    ...{ name: 'iperf3', port: { protocol: 'tcp', port: 5201 } },
    start: 'exec iperf3 -s --forceflush',
    client: 'iperf3 -c 127.0.0.1 -p $PORT -n 8M -J',
    says: /"bits_per_second":\s+[1-9]/,
  },
  {
    ...{ name: 'a queue, beanstalkd', port: { protocol: 'tcp', port: 11300 } },
    start: 'exec beanstalkd -V -b /data',
    client: 'printf "put 0 0 60 4\\r\\nkept\\r\\nquit\\r\\n" | socat -t 20 - TCP:127.0.0.1:$PORT',
    says: /INSERTED 1/,
    again: 'printf "reserve-with-timeout 20\\r\\nquit\\r\\n" | socat -t 20 - TCP:127.0.0.1:$PORT',
    saysAgain: /kept/,
  },
]
