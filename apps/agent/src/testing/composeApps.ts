/** A compose file of several services as people share them, and how it is used. */
export interface ComposeApp {
  name: string
  /** Images are named without their registry. */
  file: string
  /** The port of the page, or of what is spoken to instead. */
  port: number
  /** What it says, on its page; or, where `send` is given, at its port. */
  says: RegExp
  send?: string
  /** After a restart, and after an update. */
  saysAgain: RegExp
}

const POSTGRES = '/usr/lib/postgresql/15/bin'

/** Images of one program each, as they are published. */
export const COMPOSE_IMAGES: Readonly<Record<string, Record<string, unknown>>> = {
  postgres: {
    Entrypoint: ['/bin/sh', '-ec'],
    Cmd: [
      `d=/var/lib/postgresql/data; mkdir -p /run/postgresql; chown postgres $d /run/postgresql; [ -s $d/PG_VERSION ] || { echo "$POSTGRES_PASSWORD" > /tmp/pw; su postgres -c "${POSTGRES}/initdb -D $d -A scram-sha-256 --pwfile=/tmp/pw" > /dev/null; echo "host all all all scram-sha-256" >> $d/pg_hba.conf; }; exec su postgres -c "exec ${POSTGRES}/postgres -D $d -c listen_addresses='*'"`,
    ],
    StopSignal: 'SIGINT',
  },
  redis: { Entrypoint: ['redis-server'], Cmd: ['--protected-mode', 'no'], WorkingDir: '/data', User: 'redis' },
  nginx: { Entrypoint: ['nginx'], Cmd: ['-g', 'daemon off;'], StopSignal: 'SIGQUIT', ExposedPorts: { '80/tcp': {} } },
  python: { Entrypoint: ['python3', '-u'], WorkingDir: '/app' },
  php: { Entrypoint: ['php'], WorkingDir: '/app' },
  memcached: { Entrypoint: ['memcached'], Cmd: ['-u', 'nobody', '-l', '0.0.0.0'] },
  beanstalkd: { Entrypoint: ['beanstalkd'], Cmd: ['-b', '/data'], WorkingDir: '/data' },
  mosquitto: { Entrypoint: ['mosquitto'], Cmd: ['-c', '/mosquitto/mosquitto.conf'] },
  lighttpd: { Entrypoint: ['lighttpd', '-D'], Cmd: ['-f', '/etc/site.conf'] },
  shell: { Entrypoint: ['/bin/sh', '-ec'] },
}

/** A server of one page in Python: what `page()` answers. */
const served = (page: string, setup = ''): string =>
  [
    'import http.server, os, pathlib, socket, subprocess',
    'def ask(host, port, words, size=200):',
    '  with socket.create_connection((host, port), 5) as s:',
    '    s.sendall(words)',
    '    return s.recv(size).decode()',
    ...setup.split('\n').filter((line) => line !== ''),
    'class Page(http.server.BaseHTTPRequestHandler):',
    '  def log_message(self, *_): pass',
    '  def do_GET(self):',
    `    text = str(${page}) + ' ' + os.environ.get('VERSION', '')`,
    '    self.send_response(200); self.end_headers(); self.wfile.write(text.encode())',
    "http.server.ThreadingHTTPServer(('', 8000), Page).serve_forever()",
  ].join('\n')

/** Lines of a text in a block of YAML. */
const block = (text: string, indent = 6): string =>
  text
    .replaceAll('$', '$$$$')
    .split('\n')
    .map((line) => `${' '.repeat(indent)}${line}`)
    .join('\n')

const COUNT = "ask('cache', 6379, b'INCR visits\\r\\n').strip()"
const SQL = `subprocess.run(['psql', '-h', 'db', '-U', 'postgres', '-Atc', 'create table if not exists visits (at timestamptz); insert into visits values (now()); select count(*) from visits'], capture_output=True, text=True, env={**os.environ, 'PGPASSWORD': os.environ['DB_PASSWORD']}).stdout.split()[-1:]`
const QUEUE_WORKER = `import pathlib, socket, time
while True:
  try:
    with socket.create_connection(('queue', 11300), 5) as s:
      while True:
        s.sendall(b'reserve\\r\\n')
        head = s.makefile('rb').readline().split()
        s.sendall(b'delete ' + head[1] + b'\\r\\n')
        s.recv(100)
        done = pathlib.Path('/out/done')
        done.write_text(str(int(done.read_text() if done.exists() else 0) + 1))
  except OSError: time.sleep(0.2)
`

/**
 * Ten files of the shapes that docker/awesome-compose and Haxxnet/Compose-Examples have most: a page with a database, with a cache, with both,
 * behind a proxy; a queue with its worker; a job that others wait for; several copies behind one door; files that two share.
 */
export const COMPOSE_APPS: readonly ComposeApp[] = [
  {
    ...{ name: 'a page and its cache', port: 8000, says: /^:1 one$/, saysAgain: /^:\d+ / },
    file: `
services:
  web:
    image: python
    command: [/app/app.py]
    ports: ["80:8000"]
    environment: [VERSION=one]
    configs: [{source: app, target: /app/app.py}]
    depends_on: [cache]
  cache: {image: redis, volumes: ["kept:/data"], restart: unless-stopped}
configs:
  app:
    content: |
${block(served(COUNT))}
volumes: {kept: {}}
`,
  },
  {
    ...{ name: 'a page and its database', port: 8000, says: /^\['1'\] one$/, saysAgain: /^\['[2-9]\d*'\] / },
    file: `
services:
  web:
    image: python
    command: [/app/app.py]
    ports: ["80:8000"]
    environment: {DB_PASSWORD: correct-horse, VERSION: one}
    configs: [{source: app, target: /app/app.py}]
    depends_on: {db: {condition: service_healthy}}
  db:
    image: postgres
    environment: {POSTGRES_PASSWORD: correct-horse}
    volumes: ["rows:/var/lib/postgresql/data"]
    healthcheck: {test: ["CMD", "pg_isready", "-h", "127.0.0.1"], interval: 1s, retries: 60}
configs:
  app:
    content: |
${block(served(SQL))}
volumes: {rows: {}}
`,
  },
  {
    ...{ name: 'a page, its database and its cache', port: 8000, says: /^\['1'\]:1 one$/, saysAgain: /^\['[2-9]\d*'\]:\d+ / },
    file: `
x-restart: &restart {restart: always}
services:
  app:
    <<: *restart
    image: python
    command: [/app/app.py]
    ports: ["8080:8000"]
    environment: {DB_PASSWORD: correct-horse, VERSION: one}
    configs: [{source: app, target: /app/app.py}]
    depends_on: {db: {condition: service_healthy}, cache: {condition: service_started}}
    networks: [front, back]
  db:
    <<: *restart
    image: postgres
    container_name: app_db
    environment: {POSTGRES_PASSWORD: correct-horse}
    volumes: ["./db:/var/lib/postgresql/data"]
    healthcheck: {test: "pg_isready -h 127.0.0.1", interval: 1s, retries: 60}
    networks: [back]
  cache: {<<: *restart, image: redis, volumes: ["./cache:/data"], networks: [back]}
networks: {front: {}, back: {internal: true}}
configs:
  app:
    content: |
${block(served(`str(${SQL}) + ${COUNT}`))}
`,
  },
  {
    ...{ name: 'a proxy before an application', port: 80, says: /^from app one$/, saysAgain: /^from app / },
    file: `
services:
  proxy:
    image: nginx
    ports: ["80:80"]
    environment: {VERSION: one}
    configs: [{source: site, target: /etc/nginx/sites-enabled/default}]
    depends_on: [app]
  app:
    image: python
    command: [/app/app.py]
    expose: ["8000"]
    environment: {VERSION: one}
    configs: [{source: app, target: /app/app.py}]
configs:
  site: {content: "server { listen 80; location / { proxy_pass http://app:8000; } }"}
  app:
    content: |
${block(served("'from ' + socket.gethostname()"))}
`,
  },
  {
    ...{ name: 'two copies behind one door', port: 80, says: /^app-[12] one$/, saysAgain: /^app-[12] / },
    file: `
services:
  door:
    image: nginx
    ports: ["80:80"]
    environment: {VERSION: one}
    configs: [{source: site, target: /etc/nginx/sites-enabled/default}]
    depends_on: [app-1, app-2]
  app-1: &app
    image: python
    command: [/app/app.py]
    environment: {VERSION: one}
    configs: [{source: app, target: /app/app.py}]
  app-2: *app
configs:
  site: {content: "upstream all { server app-1:8000; server app-2:8000; } server { listen 80; location / { proxy_pass http://all; } }"}
  app:
    content: |
${block(served('socket.gethostname()'))}
`,
  },
  {
    ...{ name: 'a queue and its worker', port: 8000, says: /^INSERTED [1-9]\d* one$/, saysAgain: /^INSERTED \d+ done [1-9]/ },
    file: `
services:
  web:
    image: python
    command: [/app/app.py]
    ports: ["8000:8000"]
    environment: {VERSION: one}
    configs: [{source: app, target: /app/app.py}]
    volumes: ["done:/out"]
    depends_on: [queue, worker]
  worker:
    image: python
    command: [/app/worker.py]
    configs: [{source: worker, target: /app/worker.py}]
    volumes: ["done:/out"]
    depends_on: [queue]
  queue: {image: beanstalkd, volumes: ["jobs:/data"]}
configs:
  app:
    content: |
${block(
  served(
    "ask('queue', 11300, b'put 0 0 60 4\\r\\njob!\\r\\n').strip() + (' done ' + done.read_text() if done.exists() else '')",
    "done = pathlib.Path('/out/done')",
  ),
)}
  worker:
    content: |
${block(QUEUE_WORKER)}
volumes: {jobs: {}, done: {}}
`,
  },
  {
    ...{ name: 'a site that a job builds', port: 80, says: /^built 1$/, saysAgain: /^built [1-9]$/ },
    file: `
services:
  build:
    image: shell
    command: ["echo run >> /site/.runs; echo built $$(wc -l < /site/.runs) > /site/index.html"]
    volumes: ["site:/site"]
  web:
    image: nginx
    ports: ["80:80"]
    environment: {VERSION: one}
    volumes: ["site:/var/www/html:ro"]
    depends_on: {build: {condition: service_completed_successfully}}
volumes: {site: {}}
`,
  },
  {
    ...{ name: 'PHP and its memory', port: 8000, says: /^STORED one$/, saysAgain: /^STORED / },
    file: `
services:
  web:
    image: php
    command: ["-S", "0.0.0.0:8000", "-t", "/app"]
    ports: ["8000:8000"]
    environment: {VERSION: one}
    configs: [{source: page, target: /app/index.php}]
    links: ["cache:memory"]
  cache: {image: memcached, hostname: memory}
configs:
  page:
    content: |
      <?php
      $$s = fsockopen('memory', 11211);
      fwrite($$s, "set a 0 0 1\\r\\nb\\r\\n");
      echo trim(fgets($$s)), ' ', getenv('VERSION');
`,
  },
  {
    ...{ name: 'a broker and what it was told', port: 80, says: /^[1-9]\d* told$/, saysAgain: /^[1-9]\d* told$/ },
    file: `
services:
  broker:
    image: mosquitto
    configs: [{source: broker, target: /mosquitto/mosquitto.conf}]
    volumes: ["state:/mosquitto/data"]
  sensor:
    image: shell
    command: ["while :; do mosquitto_pub -h broker -t heat -m warm || :; sleep 0.3; done"]
    depends_on: [broker]
  recorder:
    image: shell
    command: ["while :; do mosquitto_sub -h broker -t heat | while read -r one; do echo $$one >> /log/all; echo $$(wc -l < /log/all) told > /log/new; mv /log/new /log/index.html; done; sleep 0.3; done"]
    volumes: ["log:/log"]
    depends_on: [broker]
  web:
    image: lighttpd
    ports: ["80:80"]
    environment: {VERSION: one}
    configs: [{source: site, target: /etc/site.conf}]
    volumes: ["log:/log:ro"]
configs:
  broker: {content: "listener 1883\\nallow_anonymous true\\npersistence true\\npersistence_location /mosquitto/data/\\nuser root\\n"}
  site: {content: "server.document-root=\\"/log\\"\\nserver.port=80\\nindex-file.names=(\\"index.html\\")\\n"}
volumes: {state: {}, log: {}}
`,
  },
  {
    ...{
      name: 'repositories and their mirror',
      port: 9418,
      send: '001bgit-upload-pack /a.git\0',
      says: /refs\/heads\/main/,
    },
    saysAgain: /refs\/heads\/main/,
    file: `
services:
  init:
    image: shell
    command:
      - |
        [ -d /git/a.git ] && exit 0
        git init -q -b main /tmp/a
        git -C /tmp/a -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first
        git clone -q --bare /tmp/a /git/a.git
    volumes: ["git:/git"]
  git:
    image: shell
    command: ["exec git daemon --reuseaddr --export-all --base-path=/git"]
    ports: ["9418:9418"]
    environment: {VERSION: one}
    volumes: ["git:/git"]
    depends_on: {init: {condition: service_completed_successfully}}
  mirror:
    image: shell
    command: ["while :; do [ -d /copy/a.git ] || git clone -q --mirror git://git/a.git /copy/a.git || :; sleep 1; done"]
    volumes: ["copy:/copy"]
    depends_on: [git]
volumes: {git: {}, copy: {}}
`,
  },
]
