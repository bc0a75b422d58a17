import { type KubectlSession, refused } from "./kubectl-session.ts";

const talker = `run talker --image=nginx --annotations=sim.trimtab.dev/log='hello' --overrides='{"spec":{"nodeName":"node-5"}}'`;

const limits = `
apiVersion: v1
kind: LimitRange
metadata: {name: usual}
spec:
  limits:
    - type: Container
      default: {memory: 256Mi}
      max: {memory: 512Mi}
`;

/** What runs nowhere and is answered all the same. */
export const simulatedSessions: readonly KubectlSession[] = [
  {
    name: "quotas and limits are held and shown",
    namespace: "rationing",
    commands: [
      "create quota few --hard=pods=1,count/deployments.apps=1,limits.memory=1Gi",
      "wait --for=jsonpath='{.status.hard.pods}'=1 quota/few --timeout=10s",
      "describe quota few",
      refused("run web --image=nginx"),
      { words: "apply -f -", input: limits },
      "run web --image=nginx",
      refused("run more --image=nginx"),
      "create deployment shop --image=shop:1",
      refused("create deployment stall --image=stall:1"),
      "get quota",
      "describe quota few",
      "describe limits usual",
      "get pod web -o jsonpath='{.spec.containers[0].resources}'",
      "wait --for=condition=ReplicaFailure deployment/shop --timeout=10s",
      "describe namespace rationing",
    ],
  },
  {
    name: "logs are read",
    namespace: "logging",
    commands: [
      talker,
      "wait --for=condition=Ready pod/talker --timeout=10s",
      "logs talker",
      "logs talker --tail=1",
      "logs talker --timestamps --limit-bytes=31",
      "logs pod/talker -c talker --since=1h --prefix",
      "logs talker --all-containers",
      "logs -l run=talker",
      refused("logs talker --previous"),
      refused("logs talker -c other"),
      refused("logs nobody"),
      `run waiting --image=nginx --annotations=sim.trimtab.dev/imagePull=backoff --overrides='{"spec":{"nodeName":"node-5"}}'`,
      `wait --for=jsonpath='{.status.containerStatuses[0].state.waiting.reason}'=ErrImagePull pod/waiting --timeout=10s`,
      refused("logs waiting"),
      "delete pod talker --wait=false",
      "logs -f talker --tail=1",
    ],
  },
];
