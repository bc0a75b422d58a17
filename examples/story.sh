# What the scripts of the picker stories have in common: a cluster in the background, a picker beside it on this machine,
# and the end of both. Sourced by them, with bash.
#
# TRIMTAB is how trimtab is started: TRIMTAB=trimtab, say, where it is installed. Without it, the program of this clone is.
set -euo pipefail

trimtab=(node "$(cd ../.. && pwd)/dist/cli/main.js")
[ -z "${TRIMTAB:-}" ] || read -ra trimtab <<<"$TRIMTAB"
cluster="story-$$"
scratch=$(mktemp -d)
export KUBECONFIG="$scratch/kubeconfig"
TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export TOKEN

# Commands that undo what was started, run in reverse order however the script ends.
undo=()
clean_up() {
  local status=$? i
  trap - EXIT
  for ((i = ${#undo[@]} - 1; i >= 0; i--)); do eval "${undo[i]}" || status=1; done
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
undo+=('rm -rf "$scratch"')

fail() {
  echo "$*" >&2
  exit 1
}

# make_certificate: a certificate for the picker that is its own CA, where cert-manager would make one in production.
make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=picker \
    -addext subjectAltName=DNS:picker.default.svc -keyout "$scratch/tls.key" -out "$scratch/tls.crt" 2>/dev/null
  export TLS_CERT_FILE="$scratch/tls.crt" TLS_KEY_FILE="$scratch/tls.key"
}

# start_cluster [FLAG…]: a cluster of its own, with two Secrets: the token that callers of the picker show, and its certificate.
start_cluster() {
  make_certificate
  undo+=('"${trimtab[@]}" stop "$cluster" >/dev/null')
  "${trimtab[@]}" up --name "$cluster" --detach --no-page --kubeconfig "$KUBECONFIG" "$@" >/dev/null
  kubectl create secret generic picker --from-literal=token="$TOKEN"
  kubectl create secret generic picker-tls --type=kubernetes.io/tls \
    --from-file="$scratch/tls.crt" --from-file="$scratch/tls.key" --from-file=ca.crt="$scratch/tls.crt"
}

# start NAME COMMAND…: a server in the background whose first line is "listening on PORT"; the port is in $port then.
start() {
  local name=$1 line=
  shift
  mkfifo "$scratch/$name"
  HOST=127.0.0.1 PORT=0 "$@" >"$scratch/$name" &
  undo+=("kill $! 2>/dev/null && wait $! || true") # it may have ended by itself
  # Open until the end, so that what the server prints later has a reader.
  exec {output}<"$scratch/$name"
  read -r line <&"$output" || true
  port=${line#listening on }
  [ "$port" != "$line" ] || fail "the $name has not started: $line"
}

# has_postgres: whether the programs of a PostgreSQL server are here; their folder is in $bin then.
has_postgres() {
  bin=$(pg_config --bindir 2>/dev/null || ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1 || true)
  [ -x "$bin/initdb" ]
}

# start_postgres USER: a PostgreSQL of its own that only has a socket in a folder; its URL is in $postgres then. The server
# refuses to be run by root.
start_postgres() {
  database=$(mktemp -d)
  undo+=('rm -rf "$database"')
  server=()
  if [ "$(id -u)" = 0 ]; then
    server=(setpriv --reuid=nobody --clear-groups --)
    chown nobody "$database"
  fi
  in_database() { (cd "$database" && "${server[@]}" "$bin/$1" -D data "${@:2}" >/dev/null); }
  in_database initdb -U "$1" --auth=trust --encoding=UTF8 --no-locale --no-sync
  undo+=('in_database pg_ctl -m immediate stop')
  in_database pg_ctl -w -l log -o "-c listen_addresses='' -c unix_socket_directories='$database' -c fsync=off" start
  postgres="postgresql://$1@/postgres?host=$database"
}

# deploy DEPLOYMENT: applies manifests.yaml and waits for the Pods. In production the Service leads to the Pods of the picker;
# here they are simulated, and the annotation leads to the picker on this machine.
deploy() {
  kubectl apply -f manifests.yaml
  kubectl annotate service picker "sim.trimtab.dev/endpoint=127.0.0.1:$port"
  kubectl rollout status "deployment/$1" --timeout=300s >/dev/null
}

# pods DEPLOYMENT: the names of its Pods that are not being deleted, in order.
pods() {
  kubectl get pods -l "app=$1" -o go-template='{{range .items}}{{if not .metadata.deletionTimestamp}}{{.metadata.name}}
{{end}}{{end}}' | sort
}

# scale_down DEPLOYMENT REPLICAS: as any user or autoscaler does; fails if the picker has not answered. What went is printed.
scale_down() {
  local before
  before=$(pods "$1")
  kubectl scale "deployment/$1" --replicas="$2"
  kubectl wait "deployment/$1" --for="jsonpath={.status.replicas}=$2" --timeout=300s >/dev/null
  kubectl wait "deployment/$1" --for=condition=DownscalePodPickerHealthy --timeout=60s >/dev/null ||
    fail "the picker has not answered: $(kubectl get events --field-selector type=Warning)"
  echo "deleted:" $(comm -23 <(echo "$before") <(pods "$1"))
  echo "stayed: " $(pods "$1")
}

# expect_pods DEPLOYMENT NAME…: fails unless exactly these are left.
expect_pods() {
  local left wanted
  left=$(pods "$1")
  wanted=$(printf '%s\n' "${@:2}" | sort)
  [ "$left" = "$wanted" ] || fail "these should have stayed: "$wanted
}
