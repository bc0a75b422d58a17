import { expect, test } from "vitest";
import { stories } from "./stories.ts";
import { pages, readPage } from "../../test/docs/markdown.ts";

const embedded = pages.flatMap((page) =>
  [...readPage(page).matchAll(/^<!-- playground: story=([\w-]+) -->$/gm)].map(([, story = ""]) => ({
    page,
    story,
  })),
);

test("every tutorial of a proposal has one story of the playground", () => {
  const tutorials = pages.filter((page) => /^docs\/tutorials\/(?!README)/.test(page));
  expect(embedded.map(({ page }) => page).filter((page) => tutorials.includes(page))).toEqual(tutorials);
});

test.for(embedded)("the playground has the story $story of $page", ({ story }) => {
  expect(stories.map(({ name }) => name)).toContain(story);
});
