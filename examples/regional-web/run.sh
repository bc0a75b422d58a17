#!/usr/bin/env bash
# Scales a website from twelve Pods in three regions to seven and to three: ./run.sh
cd "$(dirname "$0")"
. ../story.sh

npx --no-install tsc
start_cluster --nodes-file nodes.yaml
start picker node dist/picker.mjs
deploy web

# regions: how many Pods each region has. A node is called REGION-NUMBER.
regions() {
  kubectl get pods -l app=web -o go-template='{{range .items}}{{if not .metadata.deletionTimestamp}}{{.spec.nodeName}}
{{end}}{{end}}' | sed 's/-[0-9]*$//' | sort | uniq -c
}

# expect_even: fails unless every region serves, and no two of them differ by more than one Pod.
expect_even() {
  regions
  regions | awk 'NR == 1 { least = most = $1 }
    { if ($1 < least) least = $1; if ($1 > most) most = $1 }
    END { exit NR != 3 || most - least > 1 }' || fail "the regions are not even"
}

regions
for replicas in 7 3; do
  scale_down web "$replicas"
  expect_even
done
echo "every region still serves"
