import { isDeepStrictEqual } from "node:util";
import { readConversion } from "../../src/cluster/apiserver/custom-resources/conversion/conversion-review.ts";
import { readFrames } from "../../src/cluster/apiserver/http/web-socket/frames.ts";
import { readVerdict } from "../../src/cluster/apiserver/webhooks/admission-review.ts";
import { readAction } from "../../src/page/read-action.ts";
import { readWatches } from "../../src/page/watch-stream.ts";
import { parsePickerAnswer } from "../../src/decisions/downscale/picker-answer.ts";
import { parseQuestion } from "../../src/picker/kit/read-question.ts";
import { readVector } from "../../src/picker/serve/sources/prometheus.ts";
import { parsePickPodsRequest, parsePickPodsResponse } from "../../src/picker/transport/grpc-messages.ts";
import { readReview } from "../../src/steering/admission/review.ts";
import type { FuzzTarget } from "./targets.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const pods = ["web-a", "web-b"];
const object = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "x" }, spec: { size: 1 } };
const review = { uid: "u", reviewVersion: "v1", desired: "example.com/v2", object };

/** Readers of what other servers answer, and of what is sent to those of our servers that are no API server. */
export const answerTargets = {
  "webhook-answer": (bytes) => {
    readVerdict(textOf(bytes), "mutating", "u");
    readVerdict(textOf(bytes), "validating", "u");
  },
  "conversion-answer": (bytes) => {
    const sent = structuredClone(object);
    readConversion({ ...review, object: sent }, textOf(bytes));
    if (!isDeepStrictEqual(sent, object)) throw new Error("an answer changed the object that was sent");
  },
  "picker-answer": (bytes) => {
    for (const answer of [parsePickerAnswer(bytes, pods), parsePickPodsResponse(bytes, pods)])
      if (
        answer.kind === "Ranked" &&
        ![...answer.chosen, ...answer.tied].every((name) => pods.includes(name))
      )
        throw new Error("a Pod was chosen that was no candidate");
  },
  "picker-question": (bytes) => {
    parseQuestion(bytes, { namespace: undefined, workload: undefined });
    parsePickPodsRequest(bytes);
  },
  "steer-review": (bytes) => void readReview(textOf(bytes)),
  "page-request": (bytes) => {
    readAction(textOf(bytes));
    readWatches(textOf(bytes));
  },
  "metrics-answer": (bytes) => {
    const question = {
      namespace: "default",
      workload: { kind: "ReplicaSet", name: "web" },
      pods,
      signal: new AbortController().signal,
    };
    const { numbers } = readVector(textOf(bytes), "pod", question);
    if ([...numbers.keys()].some((pod) => !pods.includes(pod))) throw new Error("a number of another Pod");
  },
  "web-socket-frames": (bytes) => {
    const read = readFrames(Buffer.from(bytes));
    if (read.ok && read.rest.length > bytes.length) throw new Error("more is left than was sent");
  },
} satisfies Record<string, FuzzTarget>;
