#!/usr/bin/env bash
# DNS: a record below a wildcard takes the wildcard away from all names beside it.
#
# What: `*.edge.example A` answers for o-1.atlas.edge.example. Add `_acme-challenge.atlas.edge.example TXT`, as dns-01 asks for a certificate of
# `*.atlas.edge.example`, and `atlas.edge.example` exists, without records; o-1.atlas.edge.example is then NXDOMAIN until the record is gone
# (RFC 4592, 2.2.2, and every server does it). Certificates are issued all the same, so only visitors notice. A zone of its own called
# `_acme-challenge.atlas.edge.example`, at the same server, does not do that. Also: Knot refuses what its ACL forbids to a key by BADKEY, as
# if it did not know the key, where REFUSED may be expected.
# Version: Knot DNS 3.2.6 (Debian 12).
#
# Exits with 0 if it is so, 1 if not, 77 where knotd, kdig or knsupdate is missing.
set -u
for needed in knotd kdig knsupdate; do command -v "$needed" >/dev/null || { echo "$needed is not installed"; exit 77; }; done
folder=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; rm -rf "$folder"' EXIT
port=$((20000 + RANDOM % 10000))
mkdir "$folder/run" "$folder/db"
name=_acme-challenge.atlas.edge.example
own=_acme-challenge.helios.edge.example
secret=$(head -c 32 /dev/urandom | base64)
soa() { printf '@ 9 SOA ns.edge.example. host.edge.example. 1 9 9 9 1\n@ 9 NS ns.edge.example.\n'; }
{ soa; printf '* 9 A 192.0.2.1\n'; } > "$folder/edge.zone"
soa > "$folder/own.zone"
cat > "$folder/knot.conf" <<CONF
server:
    rundir: $folder/run
    listen: 127.0.0.1@$port
log:
  - target: stderr
    any: warning
database:
    storage: $folder/db
key:
  - id: key
    algorithm: hmac-sha256
    secret: $secret
acl:
  - id: txt
    key: key
    action: update
    update-type: TXT
zone:
  - domain: edge.example
    file: $folder/edge.zone
    zonefile-sync: -1
    acl: txt
  - domain: $own
    file: $folder/own.zone
    zonefile-sync: -1
    acl: txt
CONF
knotd -c "$folder/knot.conf" 2>"$folder/log" & server=$!
ask() { kdig +time=1 +retry=0 @127.0.0.1 -p "$port" "$1" "${2:-A}" | sed -n 's/.*status: \([A-Z]*\).*/\1/p'; }
for _ in $(seq 300); do [ "$(ask o-1.atlas.edge.example)" = NOERROR ] && break; sleep 0.1; done
change() { printf 'server 127.0.0.1 %s\nzone %s.\n%s\nsend\n' "$port" "$1" "$2" | knsupdate -v -y "hmac-sha256:key:$secret" 2>&1; }
before=$(ask o-1.atlas.edge.example)
change edge.example "add $name. 9 TXT \"proof\""
during=$(ask o-1.atlas.edge.example)
change edge.example "del $name. TXT \"proof\""
after=$(ask o-1.atlas.edge.example)
change "$own" "add $own. 9 TXT \"proof\""
beside=$(ask o-1.helios.edge.example)
refused=$(change "$own" "add $own. 9 A 192.0.2.9" | sed -n 's/.*opcode: UPDATE; status: \([A-Z]*\).*/\1/p')
echo "o-1.atlas.edge.example: $before; with a TXT record at $name: $during; without it again: $after"
echo "o-1.helios.edge.example with the same record in a zone of its own: $beside"
echo "a record that the key may not add: $refused"
[ "$before $during $after $beside $refused" = 'NOERROR NXDOMAIN NOERROR NOERROR BADKEY' ]
