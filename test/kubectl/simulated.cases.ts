import { type KubectlSession, refused } from "./kubectl-session.ts";

const talker = `run talker --image=nginx --annotations=sim.trimtab.dev/log='hello' --overrides='{"spec":{"nodeName":"node-5"}}'`;

/** What runs nowhere and is answered all the same. */
export const simulatedSessions: readonly KubectlSession[] = [
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
