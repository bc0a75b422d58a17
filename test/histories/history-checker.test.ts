import { expect, test } from "vitest";
import { HistoryChecker } from "./history-checker.ts";
import { History } from "./history.ts";

const at = (revision: number, key: string, content?: string) => ({ revision, key, content });

function historyOf(fill: (history: History) => void): History {
  const history = new History();
  fill(history);
  return history;
}

test.for([
  {
    name: "a revision with two contents",
    fill: ({ seen }: History) => void seen.push(at(5, "a", "x"), at(5, "a", "y")),
    want: "revision 5 is a = x and a = y",
  },
  {
    name: "a watch that leaves out what another client saw",
    fill: ({ seen, segments }: History) => {
      seen.push(at(5, "a", "x"), at(6, "b", "y"));
      segments.push({ watcher: "watcher-0", from: 4, revisions: [6] });
    },
    want: "watcher-0 watched from 4 to 6 and did not get a = x of 5",
  },
])("is noticed: $name", ({ fill, want }) => {
  expect(new HistoryChecker().checkRun(historyOf(fill))?.details).toBe(want);
});

test("a watch that is merely behind is right", () => {
  const history = historyOf(({ seen, segments }) => {
    seen.push(at(5, "a", "x"), at(6, "b", "y"));
    segments.push({ watcher: "watcher-0", from: 4, revisions: [5] });
  });
  expect(new HistoryChecker().checkRun(history)).toBeUndefined();
});

test("a later write that is left without an earlier one is no state that was", () => {
  const checker = new HistoryChecker();
  const history = historyOf(({ seen }) => void seen.push(at(5, "a", "x"), at(6, "a", "y"), at(7, "b", "z")));
  expect(checker.checkRun(history)).toBeUndefined();
  const listing = (a: number) => ({
    revision: 100,
    objects: new Map([
      ["a", { revision: a, content: "x" }],
      ["b", { revision: 7, content: "z" }],
    ]),
  });
  expect(checker.checkStart(listing(6))).toBeUndefined();
  expect(checker.checkStart(listing(5))?.details).toBe(
    "a is left at revision 5 and lacks y of 6, but a commit of 7 is left",
  );
});

test("a lost write is shown with what came before it, as a log", async () => {
  const checker = new HistoryChecker();
  const first = new History();
  const [client, key] = ["writer-0", "a"];
  await first.record({ client, key, request: { verb: "create", content: "x" } }, async () => ({
    kind: "done",
    revision: 5,
  }));
  expect(checker.checkRun(first)).toBeUndefined();
  const second = new History();
  second.recordListing("restart", { revision: 9, objects: new Map() }, ["a"]);
  expect(checker.checkRun(second)?.details.split("\n")).toEqual([
    "[1, 2]         writer-0   create a = x → done at 5",
    "the process starts; it may hold x",
    "[1, 2]         restart    get a → nothing",
  ]);
});
