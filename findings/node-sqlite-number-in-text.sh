#!/usr/bin/env bash
# node:sqlite: a whole number that is bound to a column of texts is stored as "1.0".
#
# What: node:sqlite binds every JavaScript number as a REAL, the whole ones too, and SQLite's TEXT affinity writes a REAL with its point.
# So the number 1 comes back from a TEXT column as "1.0", which BigInt() refuses and which no comparison with "1" finds, while the same row
# sent as JSON, or as a literal in the statement, comes back as "1". A table of amounts kept as decimal digits is damaged without an error.
# Bind a BigInt or a string where the column holds texts.
# Version: node 24.21.0 from npm with SQLite 3.53.4.
# Seen: bound 1: "1.0", bound 1n: "1", literal 1: "1", json 1: "1", bound 1 in an INTEGER column: 1.
#
# Exits with 0 if it is so, 1 if not, 77 where npm or its registry is missing, or there is no binary for this platform.
set -u
command -v npm >/dev/null || { echo "npm is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 >/dev/null 2>&1 || { echo "the package cannot be installed"; exit 77; }
node=$folder/node_modules/node/bin/node
[ -x "$node" ] || { echo "no binary for this platform"; exit 77; }
cat > try.mjs <<'JS'
import { DatabaseSync } from 'node:sqlite'
const db = new DatabaseSync(':memory:')
console.log(`node ${process.versions.node}, SQLite ${process.versions.sqlite}`)
db.exec('create table texts (how text, amount text); create table whole (amount integer)')
const put = db.prepare('insert into texts values (?, ?)')
put.run('bound 1', 1)
put.run('bound 1n', 1n)
db.exec(`insert into texts values ('literal 1', 1)`)
db.prepare(`insert into texts select 'json 1', json_extract(?, '$.a')`).run('{"a":1}')
db.prepare('insert into whole values (?)').run(1)
const seen = Object.fromEntries(db.prepare('select how, amount from texts').all().map(({ how, amount }) => [how, amount]))
const { amount } = db.prepare('select amount from whole').get()
console.log(JSON.stringify(seen), amount)
const expected = { 'bound 1': '1.0', 'bound 1n': '1', 'literal 1': '1', 'json 1': '1' }
process.exit(JSON.stringify(seen) === JSON.stringify(expected) && amount === 1 ? 0 : 1)
JS
"$node" --no-warnings try.mjs
