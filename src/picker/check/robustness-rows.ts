import type { Asker } from "./asker.ts";
import type { ProbeMessage, Reply } from "./probe.ts";
import { type CheckRow, failed, passed, replyProblem, type CheckVerdict, warned } from "./verdict.ts";

/** Rows about messages that no controller sends, and about callers without permission. */
export const robustnessRows: readonly CheckRow[] = [
  {
    name: "no-candidates",
    promise: "A question without candidates is answered or refused.",
    check: (asker) => isHandled(asker, questionMessage(asker, 1, [])),
  },
  {
    name: "more-than-there-are",
    promise: "A question for more Pods than there are candidates is answered or refused.",
    check: (asker) => isHandled(asker, questionMessage(asker, 9, asker.options.candidates.slice(0, 2))),
  },
  {
    name: "nonsense",
    promise: "A message that is no question is refused.",
    async check(asker) {
      const reply = await asker.send({ body: asker.options.probe.nonsense, candidates: [] });
      return isRefused(asker, reply);
    },
  },
  {
    name: "wrong-types",
    promise: "A question whose members have other types is refused with a 4xx status.",
    protocol: "http",
    async check(asker) {
      const body = Buffer.from('{"number_of_pods_requested":"two","candidate_pods":"web-1"}');
      return isRefused(asker, await asker.send({ body, candidates: ["web-1"] }));
    },
  },
  {
    name: "wrong-content-type",
    promise: "A body that is not said to be JSON is answered or refused.",
    protocol: "http",
    check: (asker) => isHandled(asker, { ...questionMessage(asker), contentType: "text/plain" }),
  },
  {
    name: "method",
    promise: "GET is not answered like a question.",
    protocol: "http",
    async check(asker) {
      const reply = await asker.send({ ...questionMessage(asker), method: "GET" });
      if (reply.kind === "answer" && reply.answer.kind !== "Malformed")
        return warned("GET is answered with Pods, without a question");
      // Any status refuses it: 405, but also 404, or the 501 of Python's standard library.
      return reply.kind === "silent" ? isHandledReply(reply) : passed;
    },
  },
  {
    name: "authentication",
    promise: "Callers without the token or certificate are refused.",
    async check(asker) {
      const { hasCredentials } = asker.options;
      if (!hasCredentials)
        return warned("it answers without a token or certificate: every caller learns which Pods are idle");
      const reply = await asker.send({ ...questionMessage(asker), isAnonymous: true });
      if (reply.kind === "answer")
        return failed("it answers callers that show neither token nor certificate");
      const isRefusal = reply.kind === "silent" || reply.blames === "credentials";
      return isRefusal ? passed : warned(`it refuses them with ${reply.code}; 401 or 403 would say why`);
    },
  },
  {
    name: "encryption",
    promise: "Tokens are sent over TLS, or do not leave this machine.",
    check({ options: { hasCredentials, isPrivate } }) {
      const isOpen = hasCredentials && !isPrivate;
      return Promise.resolve(isOpen ? warned("the token is sent in plain text") : passed);
    },
  },
  {
    name: "caller-leaves",
    promise: "A caller that breaks the connection does no harm.",
    async check(asker) {
      const leaving = new AbortController();
      const left = asker.send({ ...questionMessage(asker), isCutShort: true }, leaving.signal);
      // Over gRPC a call is cancelled, and over HTTP the body ends in the middle.
      if (asker.protocol === "grpc") leaving.abort(new Error("the caller has left"));
      await left;
      return isAnsweredAfterwards(asker);
    },
  },
  {
    name: "survives",
    promise: "After all of this a question is answered as before.",
    isFinal: true,
    check: isAnsweredAfterwards,
  },
];

async function isAnsweredAfterwards(asker: Asker): Promise<CheckVerdict> {
  const { candidates } = asker.options;
  const problem = replyProblem((await asker.ask({ requested: 1, candidates })).reply);
  return problem === undefined ? passed : failed(problem);
}

function questionMessage(
  { options }: Asker,
  requested = 1,
  candidates: readonly string[] = options.candidates,
): ProbeMessage {
  return { body: options.probe.encode({ requested, candidates }), candidates };
}

/** Warns if the picker itself fails over a message. */
async function isHandled(asker: Asker, message: ProbeMessage): Promise<CheckVerdict> {
  return isHandledReply(await asker.send(message));
}

function isHandledReply(reply: Reply): CheckVerdict {
  const isFailure = reply.kind === "silent" || (reply.kind === "error" && reply.blames === "picker");
  return isFailure ? warned(replyProblem(reply) ?? "") : passed;
}

/** Warns if the picker takes nonsense for a question. Libraries of gRPC refuse it with codes of their own choice. */
function isRefused({ protocol }: Asker, reply: Reply): CheckVerdict {
  if (reply.kind === "answer") return warned("it is answered like a question");
  return protocol === "grpc" && reply.kind === "error" ? passed : isHandledReply(reply);
}
