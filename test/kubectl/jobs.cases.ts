import { type KubectlSession, refused } from "./kubectl-session.ts";

const broken = `
apiVersion: batch/v1
kind: Job
metadata: {name: broken}
spec:
  backoffLimit: 0
  template:
    metadata:
      annotations: {sim.trimtab.dev/crashExitCode: "3"}
    spec:
      restartPolicy: Never
      containers: [{name: main, image: broken:1}]
`;

const indexed = `
apiVersion: batch/v1
kind: Job
metadata: {name: shards}
spec:
  completions: 3
  parallelism: 3
  completionMode: Indexed
  ttlSecondsAfterFinished: 600
  template:
    spec:
      restartPolicy: OnFailure
      containers: [{name: main, image: shard:1}]
`;

const endless = `
apiVersion: batch/v1
kind: Job
metadata: {name: endless}
spec:
  template:
    metadata:
      annotations: {sim.trimtab.dev/completeAfter: never}
    spec:
      restartPolicy: Never
      containers: [{name: main, image: server:1}]
`;

const phases = (job: string) =>
  `get pods -l batch.kubernetes.io/job-name=${job} -o jsonpath='{.items[*].status.phase}'`;

/** What runs to its end, once or again and again. */
export const jobSessions: readonly KubectlSession[] = [
  {
    name: "Jobs run to their end and are waited for",
    namespace: "finishing",
    commands: [
      "create job pi --image=perl:5 -- perl -e 'print 3'",
      "wait --for=condition=complete job/pi --timeout=30s",
      "get job pi",
      phases("pi"),
      "logs job/pi",
      { words: "apply -f -", input: broken },
      "wait --for=condition=failed job/broken --timeout=30s",
      "get job broken",
      phases("broken"),
      { words: "apply -f -", input: indexed },
      "wait --for=condition=complete job/shards --timeout=30s",
      "get job shards -o jsonpath='{.status.succeeded} {.status.completedIndexes}'",
      { words: "apply -f -", input: indexed },
      refused(`patch job pi -p '{"spec":{"completions":2}}'`),
      "delete job pi --cascade=foreground",
      phases("pi"),
    ],
  },
  {
    name: "a Job is suspended, resumed and deleted with its Pods",
    namespace: "pausing",
    commands: [
      { words: "apply --server-side -f -", input: endless },
      "wait --for=jsonpath='{.status.ready}'=1 job/endless --timeout=30s",
      "get job endless",
      { words: "apply --server-side -f -", input: endless },
      "get job endless -o jsonpath='{.metadata.generation} {.status.ready}'",
      `patch job endless -p '{"spec":{"suspend":true}}'`,
      "wait --for=condition=suspended job/endless --timeout=30s",
      "get job endless",
      `patch job endless -p '{"spec":{"suspend":false}}'`,
      "wait --for=jsonpath='{.status.ready}'=1 job/endless --timeout=30s",
      "delete job endless --cascade=foreground",
      "get jobs,pods",
    ],
  },
  {
    name: "a CronJob's Job is started by hand, and goes with it",
    namespace: "scheduling",
    commands: [
      "create cronjob nightly --image=backup:1 --schedule='0 3 29 2 *'",
      "get cronjobs",
      "create job now --from=cronjob/nightly",
      "wait --for=condition=complete job/now --timeout=30s",
      "get job now -o jsonpath='{.metadata.annotations} {.metadata.ownerReferences[0].name}'",
      `patch cronjob nightly -p '{"spec":{"suspend":true}}'`,
      "get cronjobs",
      refused("create cronjob never --image=backup:1 --schedule='61 * * * *'"),
      "delete cronjob nightly --cascade=foreground",
      "get jobs,cronjobs,pods",
    ],
  },
];
