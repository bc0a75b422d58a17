import { codeBlocks, pages, readPage, shellCommands } from "./markdown.ts";

/** A command of a page that installs the package, or calls it where it is installed. */
export interface InstallingLine {
  readonly page: string;
  readonly line: string;
}

/** The commands of a page: lines of shell blocks, steps of workflows, and code in sentences. */
function commandsOf(page: string): readonly string[] {
  const steps = codeBlocks(page).flatMap(({ text }) =>
    [...text.matchAll(/^\s*- run: (.+)$/gm)].map(([, step = ""]) => step),
  );
  const inSentences = [...page.matchAll(/`(np[mx] [^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...shellCommands(page), ...steps, ...inSentences];
}

const installsFile = /npm install\b.*trimtab-\d\S*\.tgz|^npx --no-install trimtab\b/;

/** Every command of the pages that works in a folder with the packed package, in the order of the pages. */
export const installingLines: readonly InstallingLine[] = pages.flatMap((page) =>
  commandsOf(readPage(page))
    .filter((line) => installsFile.test(line))
    .map((line) => ({ page, line })),
);

/** Commands of the pages that would take a package of our name from a registry, where it is not published. */
export const registryLines: readonly InstallingLine[] = pages.flatMap((page) =>
  readPage(page)
    .split("\n")
    .filter((line) =>
      /\bnpm (install|i|add|exec)\b[^`]*\strimtab(?![\w-])|\bnpx (?!--no-install\b)(.* )?trimtab\b/.test(
        line,
      ),
    )
    .map((line) => ({ page, line })),
);
