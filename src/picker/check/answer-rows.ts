import type { PickPodsRequest } from "../transport/transport.ts";
import type { CheckedQuestion, Asker } from "./asker.ts";
import {
  type CheckRow,
  failed,
  passed,
  replyProblem,
  skipped,
  type CheckVerdict,
  warned,
} from "./verdict.ts";

/** Asks for some of the candidates. */
function askFor(asker: Asker, requested = Math.ceil(asker.options.candidates.length / 2)) {
  const { candidates } = asker.options;
  return asker.ask({ requested: Math.min(requested, candidates.length - 1), candidates });
}

/** Fails unless the question has a usable answer. */
async function isAnswered(asked: Promise<CheckedQuestion>, what = ""): Promise<CheckVerdict> {
  const problem = replyProblem((await asked).reply);
  return problem === undefined ? passed : failed(what === "" ? problem : `${what}: ${problem}`);
}

/** The first of all rows: the others are skipped if it fails. */
export const answersRow: CheckRow = {
  name: "answers",
  promise: "A question is answered with status 200, over gRPC with OK.",
  async check(asker) {
    const { reply } = await askFor(asker);
    if (reply.kind === "answer") return passed;
    const isRedirect = reply.kind === "error" && reply.code.startsWith("HTTP 3");
    return failed(`${replyProblem(reply)}${isRedirect ? ", and redirects are not followed" : ""}`);
  },
};

/** Rows about questions as the controller asks them. */
export const answerRows: readonly CheckRow[] = [
  {
    name: "shape",
    promise:
      "The answer has chosen_pods, tied_pods or protected_pods, which are lists of names, in at most 1 MiB.",
    check: (asker) => isAnswered(askFor(asker)),
  },
  {
    name: "content-type",
    promise: "The answer says that it is application/json.",
    protocol: "http",
    async check(asker) {
      const { reply } = await askFor(asker);
      const type = reply.kind === "answer" ? (reply.contentType ?? "no content type") : "application/json";
      return /^application\/json\b/i.test(type)
        ? passed
        : warned(`it says ${type}; the controller reads the answer as JSON all the same`);
    },
  },
  {
    name: "one-of-two",
    promise: "The smallest question there is, one of two Pods, is answered.",
    check: (asker) =>
      isAnswered(asker.ask({ requested: 1, candidates: asker.options.candidates.slice(0, 2) })),
  },
  {
    name: "all-but-one",
    promise: "A question for all Pods but one is answered.",
    check: (asker) => isAnswered(askFor(asker, asker.options.candidates.length - 1)),
  },
  {
    name: "all-of-them",
    promise: "A question for all Pods, which controllers ask that hold protected Pods back, is answered.",
    async check(asker) {
      const { candidates } = asker.options;
      const { reply } = await asker.ask({ requested: candidates.length, candidates });
      const problem = replyProblem(reply);
      return problem === undefined
        ? passed
        : warned(`${problem}: with the feature gate PodRemovalProtection the normal order would decide`);
    },
  },
  {
    name: "unknown-pods",
    promise: "Pods that the picker has never heard of, such as new ones, are answered like others.",
    check: (asker) =>
      isAnswered(asker.ask(questionOf(["trimtab-check-new-x7v2p", "trimtab-check-new-q9k4z"]))),
  },
  {
    name: "odd-names",
    promise: "Pods whose names mean something to a programming language are answered like others.",
    check: (asker) =>
      isAnswered(asker.ask(questionOf(["0", "constructor", "nan", "null", "true", longestName]))),
  },
  {
    name: "unknown-members",
    promise: "A question with members of a later version is answered.",
    check: (asker) => {
      const { candidates } = asker.options;
      return isAnswered(asker.ask({ requested: 1, candidates }, "unknown members"));
    },
  },
  {
    name: "large",
    promise: "A question about many Pods is answered.",
    check(asker) {
      const { largest } = asker.options;
      const pods = Array.from({ length: largest }, (_, index) => `trimtab-check-large-7d9f8b6c5-${index}`);
      return isAnswered(asker.ask(questionOf(pods)), `${largest} Pods`);
    },
  },
  {
    name: "repeated",
    promise: "The same question has the same answer, because it may be asked again.",
    async check(asker) {
      const asked = [await askFor(asker), await askFor(asker), await askFor(asker)];
      const different = new Set(asked.map(({ reply }) => namesOf(reply)));
      return different.size === 1
        ? passed
        : failed(
            `three equal questions had ${different.size} different answers: does asking change something?`,
          );
    },
  },
  {
    name: "order",
    promise: "The order of the candidates has no meaning.",
    async check(asker) {
      const candidates = asker.options.candidates.toReversed();
      const requested = Math.min(Math.ceil(candidates.length / 2), candidates.length - 1);
      const [one, other] = [await askFor(asker), await asker.ask({ requested, candidates })];
      return namesOf(one.reply) === namesOf(other.reply)
        ? passed
        : warned("in another order the same candidates had another answer: sort them, or tie equal Pods");
    },
  },
  {
    name: "concurrent",
    promise: "Ten questions at a time are answered, as many as the controller sends to one address.",
    async check(asker) {
      const asked = await Promise.all(Array.from({ length: 10 }, () => askFor(asker)));
      const problems = asked.flatMap(({ reply }) => replyProblem(reply) ?? []);
      return problems.length === 0 ? passed : failed(`${problems.length} of 10: ${problems[0]}`);
    },
  },
];

const longestName = `x${"-y".repeat(126)}`;

function questionOf(candidates: readonly string[]): PickPodsRequest {
  return { requested: Math.ceil(candidates.length / 2), candidates };
}

/** An answer in a form that can be compared: the order within a list has no meaning. */
function namesOf(reply: CheckedQuestion["reply"]): string {
  if (reply.kind !== "answer" || reply.answer.kind === "Malformed") return replyProblem(reply) ?? "";
  if (reply.answer.kind === "Empty") return JSON.stringify([...(reply.answer.protects ?? [])].sort());
  const { chosen, tied, protects = [] } = reply.answer;
  return JSON.stringify([chosen, tied, protects].map((names) => [...names].sort()));
}

/** Rows about all answers together. */
export const summaryRows: readonly CheckRow[] = [
  {
    name: "only-candidates",
    promise: "Only candidates are named.",
    isFinal: true,
    check: (asker) => Promise.resolve(countIgnored(asker, "unknown", "names were not among the candidates")),
  },
  {
    name: "no-duplicates",
    promise: "A list names a Pod once.",
    isFinal: true,
    check: (asker) =>
      Promise.resolve(countIgnored(asker, "duplicate", "names were more than once in the same list")),
  },
  {
    name: "one-list",
    promise: "A Pod is chosen or tied, not both.",
    isFinal: true,
    check(asker) {
      const found = countIgnored(asker, "inBothLists", "names were in both lists, and count as chosen");
      return Promise.resolve(found.kind === "fail" ? warned(found.detail) : found);
    },
  },
  {
    name: "protected-or-chosen",
    promise: "A Pod that is protected is chosen or tied only where there are too few others.",
    isFinal: true,
    check(asker) {
      const both = asker.asked.filter(namesProtected);
      const counts = both.length === 1 ? "1 answer names" : `${both.length} answers name`;
      return Promise.resolve(
        both.length === 0 ? passed : warned(`${counts} Pods in both, and protection counts`),
      );
    },
  },
  {
    name: "names-pods",
    promise: "Some answer names a Pod.",
    isFinal: true,
    check(asker) {
      const answers = asker.answers();
      if (answers.length === 0) return Promise.resolve(skipped("there was no answer"));
      return Promise.resolve(
        answers.some(({ kind }) => kind === "Ranked")
          ? passed
          : warned("no answer named a candidate: the normal order would decide as if there were no picker"),
      );
    },
  },
  {
    name: "number",
    promise: "No more Pods are chosen than asked for; more may be tied.",
    isFinal: true,
    check(asker) {
      const more = asker.asked.filter(
        ({ question, reply }) =>
          reply.kind === "answer" &&
          reply.answer.kind === "Ranked" &&
          reply.answer.chosen.size > question.requested,
      );
      return Promise.resolve(
        more.length === 0
          ? passed
          : warned(`${more.length} answers chose more: the normal order decides among the chosen Pods`),
      );
    },
  },
  {
    name: "in-time",
    promise: "Every answer comes within the time limit.",
    isFinal: true,
    check(asker) {
      const { limitMs } = asker.options;
      const [slowest] = asker.asked.toSorted((one, other) => other.tookMs - one.tookMs);
      if (slowest === undefined) return Promise.resolve(skipped("no question was asked"));
      const { row, tookMs, question } = slowest;
      const what = `the slowest, of ${row} with ${question.candidates.length} candidates`;
      const detail = `${what}, took ${Math.round(tookMs)} ms; the limit is ${limitMs} ms`;
      return Promise.resolve(tookMs <= limitMs ? { kind: "pass", detail } : failed(detail));
    },
  },
];

/** Controllers that do not look at protection go by the other lists alone: there a protected Pod may have its place, as the last. */
function namesProtected({ question, reply }: CheckedQuestion): boolean {
  if (reply.kind !== "answer" || reply.answer.kind !== "Ranked") return false;
  const { chosen, tied, protects = [] } = reply.answer;
  const named = [...protects];
  const others = question.candidates.length - named.length;
  return question.requested <= others && named.some((name) => chosen.has(name) || tied.has(name));
}

function countIgnored(
  asker: Asker,
  which: "unknown" | "duplicate" | "inBothLists",
  what: string,
): CheckVerdict {
  const answers = asker.answers();
  if (answers.length === 0) return skipped("there was no answer");
  const counts = answers.map(({ ignored }) => ignored[which]).filter((count) => count > 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total === 0 ? passed : failed(`${total} ${what}, in ${counts.length} of ${answers.length} answers`);
}
