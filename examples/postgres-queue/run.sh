#!/usr/bin/env bash
# Scales six workers to three while three of them have tasks, with a picker that nobody wrote: ./run.sh. PYTHON is the
# interpreter, python3 by default; it needs psycopg.
cd "$(dirname "$0")"
. ../story.sh
python=${PYTHON:-python3}
export PYTHONDONTWRITEBYTECODE=1

has_postgres || fail "there are no programs of a PostgreSQL server here"
"$python" -c 'import psycopg' || fail "psycopg is not installed: pip install -r requirements.txt"
start_postgres queue
export DATABASE_URL="$postgres"

# in_queue SQL: what the database answers, a row on each line.
in_queue() {
  "$python" -c '
import os, sys, psycopg
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    cursor = connection.execute(sys.argv[1])
    for row in cursor if cursor.description else []:
        print(*row)' "$1"
}
in_queue "$(cat queue.sql)"

start_cluster
kubectl create secret generic picker-caller --from-literal=authorization="Bearer $TOKEN"
echo -n "$TOKEN" >"$scratch/token"
kubectl apply -f workers.yaml
kubectl rollout status deployment/worker --timeout=300s >/dev/null

# The Pods are simulated: the process of each runs on this machine, and an annotation on the Pod leads to it.
mapfile -t workers < <(pods worker)
for worker in "${workers[@]}"; do
  POD=$worker start "$worker" "$python" worker.py
  kubectl annotate pod "$worker" "sim.trimtab.dev/endpoint=127.0.0.1:$port" >/dev/null
done

# The picker: a file, and where it is served here.
cat pickers.yaml - >"$scratch/pickers.yaml" <<END
serving:
  host: 127.0.0.1
  port: 0
  tokenFile: $scratch/token
  tls: { certificateFile: $TLS_CERT_FILE, keyFile: $TLS_KEY_FILE }
END
"${trimtab[@]}" picker serve --config "$scratch/pickers.yaml" --port 0 >"$scratch/picker.log" 2>&1 &
picker=$!
undo+=("kill $picker 2>/dev/null && wait $picker || true")
until grep -q '^questions: ' "$scratch/picker.log"; do
  kill -0 $picker 2>/dev/null || fail "the picker has not started: $(cat "$scratch/picker.log")"
  sleep 0.2
done
port=$(sed -n 's#^questions: https://127.0.0.1:\([0-9]*\)/.*#\1#p' "$scratch/picker.log")
kubectl annotate service picker "sim.trimtab.dev/endpoint=127.0.0.1:$port"

# Three tasks of ten minutes: three workers take one each.
in_queue "INSERT INTO queue (seconds) VALUES (600), (600), (600)"
until [ "$(in_queue "SELECT count(DISTINCT worker) FROM queue")" = 3 ]; do sleep 0.2; done
mapfile -t busy < <(in_queue "SELECT worker FROM queue ORDER BY worker")
until check=$("${trimtab[@]}" picker serve --config "$scratch/pickers.yaml" --check --port 0) &&
  [ "$(grep -c ' yes' <<<"$check")" = 3 ]; do sleep 0.2; done
echo "$check"

scale_down worker 3
expect_pods worker "${busy[@]}"
echo "the workers that have tasks have stayed"
