#!/usr/bin/env bash
# dependency-cruiser beside TypeScript 7: no file is read, every rule holds, exit 0.
#
# What: dependency-cruiser reads TypeScript with the compiler that it finds in the project. TypeScript 7 is the native compiler and has no
# JavaScript API of the old kind; dependency-cruiser 18 then treats .ts as an extension that it does not know, cruises nothing, and
# reports success. A forbidden import that TypeScript 6 shows passes unseen, so an upgrade of the compiler alone switches an architecture
# check off without a word. Look at the count of modules, keep a deliberate violation, or give it @swc/core as a second parser.
# Version: dependency-cruiser 18.7.2 with typescript 7.0.2, and with 6.0.3 beside it.
# Seen: "no dependency violations found (0 modules, 0 dependencies cruised)", exit 0; with 6.0.3 "1 dependency violations ... 2 modules", exit 1.
#
# Exits with 0 if it is so, 1 if not, 77 where npm or its registry is missing.
set -u
command -v npm >/dev/null || { echo "npm is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 77
mkdir -p src/a src/b
echo '{"private":true,"type":"module"}' > package.json
echo "import { b } from '../b/b.ts'; export const a: number = b" > src/a/a.ts
echo 'export const b: number = 1' > src/b/b.ts
cat > .dependency-cruiser.cjs <<'RULES'
module.exports = { forbidden: [{ name: 'a-not-b', severity: 'error', from: { path: '^src/a' }, to: { path: '^src/b' } }] }
RULES
install() { npm install --silent --no-audit --no-fund "$@" >/dev/null 2>&1 || { echo "the packages cannot be installed"; exit 77; }; }
install dependency-cruiser@18.7.2 typescript@7.0.2
seven=$(npx depcruise src); with_seven=$?
install typescript@6.0.3
six=$(npx depcruise src); with_six=$?
printf 'typescript 7.0.2, exit %s: %s\ntypescript 6.0.3, exit %s: %s\n' "$with_seven" "${seven//$'\n'/ }" "$with_six" "${six//$'\n'/ }"
[ "$with_seven" = 0 ] && [[ $seven == *'0 modules'* ]] && [ "$with_six" = 1 ] && [[ $six == *a-not-b* ]]
