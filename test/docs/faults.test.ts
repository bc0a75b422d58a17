import { expect, test } from "vitest";
import { faultRunFlags } from "../../src/cli/faults/fault-run-settings.ts";
import { outsideFaults } from "../../src/simulation/outside-faults/fault-profiles.ts";
import { readPage } from "./markdown.ts";

const page = readPage("docs/faults.md");

/** The cells of table rows whose first cell is code. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("the table has every fault, as likely as it is", () => {
  const percent = (probability: number) => (probability === 0 ? "" : `${Math.round(probability * 100)} %`);
  const expected = Object.entries(outsideFaults).map(([name, { gentle, rough, only }]) => [
    `\`${name}\``,
    percent(gentle),
    percent(rough),
    percent(only),
  ]);
  const shown = rows
    .filter((cells) => cells.length === 7)
    .map(([, name, , ...numbers]) => [name, ...numbers.slice(0, 3)]);
  expect(shown).toEqual(expected);
});

test("every flag that it names is one", () => {
  const named = [...page.matchAll(/`(--[a-z-]+)/g)].map(([, flag]) => flag?.slice(2) ?? "");
  const known = new Set([...Object.keys(faultRunFlags), "faults"]);
  expect(named).not.toEqual([]);
  expect(named.filter((flag) => !known.has(flag))).toEqual([]);
});
