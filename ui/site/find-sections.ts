/** A part of a page: the title of the page, the heading of the part, where it is, its text. */
export type Section = readonly [title: string, heading: string, address: string, text: string];

export interface Found {
  readonly section: Section;
  /** Where the first word is in its text; −1 if it is only in the headings. */
  readonly at: number;
}

const mostFound = 12;

/** The parts that have every word, or words that begin so: those with it in their title or heading first. */
export function findSections(sections: readonly Section[], query: string): readonly Found[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const scored = sections.flatMap((section) => {
    const score = scoreOf(section, words);
    return score === 0 ? [] : [{ section, score }];
  });
  scored.sort((one, other) => other.score - one.score);
  return scored
    .slice(0, mostFound)
    .map(({ section }) => ({ section, at: section[3].toLowerCase().indexOf(words[0] ?? "") }));
}

/** 0 if a word is missing. */
function scoreOf([title, heading, at, text]: Section, words: readonly string[]): number {
  const [inTitle, inHeading, inText] = [title, heading, text].map((each) => each.toLowerCase());
  let score = 0;
  for (const word of words) {
    const found =
      weight(inHeading ?? "", word, 8) +
      // The beginning of a page is its best part for a word of its title.
      weight(inTitle ?? "", word, heading === "" ? 10 : 3) +
      weight(inText ?? "", word, 1);
    if (found === 0) return 0;
    score += found;
  }
  return score * (lesser.find(({ address }) => address.test(at))?.share ?? 1);
}

/** What most readers look for last. */
const lesser = [
  { address: /^docs\/(?:decisions|measurements)\//, share: 0.3 },
  { address: /^(?:reference\/|[A-Z_]+\.html)/, share: 0.6 },
];

/** Whole words count most, beginnings of words more than what is inside of one. */
function weight(text: string, word: string, factor: number): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  const isStart = at === 0 || !isWord(text[at - 1]);
  const isWhole = isStart && !isWord(text[at + word.length]);
  return factor * (isWhole ? 4 : isStart ? 2 : 1);
}

const isWord = (character: string | undefined) =>
  character !== undefined && /[\p{Letter}\p{Number}_]/u.test(character);
