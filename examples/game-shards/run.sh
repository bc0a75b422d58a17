#!/usr/bin/env bash
# Scales a game from six shards to four and to one while players are connected: ./run.sh
cd "$(dirname "$0")"
. ../story.sh

go build -o "$scratch/program" .
start_cluster
start picker "$scratch/program"
deploy shard

# report SHARD PREMIUM OTHERS: what a shard does when a player joins or leaves.
report() {
  curl --fail --silent --show-error --cacert "$TLS_CERT_FILE" --connect-to "picker.default.svc:443:127.0.0.1:$port" \
    -X PUT -H "x-picker-token: $TOKEN" -d "{\"premium\":$2,\"others\":$3}" "https://picker.default.svc/shards/$1"
}

mapfile -t shards < <(pods shard)
report "${shards[0]}" 3 0  # counts 15
report "${shards[1]}" 0 4  # counts 4
report "${shards[2]}" 0 12 # counts 12
report "${shards[3]}" 1 0  # counts 5
# The other two are empty.

scale_down shard 4
expect_pods shard "${shards[@]:0:4}"
echo "the empty shards have gone"

scale_down shard 1
expect_pods shard "${shards[0]}"
echo "three premium players have stayed, because they count more than twelve others"
