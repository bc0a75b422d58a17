import path from "node:path";
import { addressOf, type SourcePage } from "./read-pages.ts";

export interface NavigationLink {
  readonly address: string;
  readonly title: string;
}

/** A list of pages in the navigation. */
export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

const index = "docs/README.md";

/** What is not among the lists of `docs/README.md`: the list of examples, and the pages at the top. */
const project: NavigationGroup = {
  title: "Project",
  links: [
    { address: "CHANGELOG.html", title: "Changelog" },
    { address: "ARCHITECTURE.html", title: "Architecture" },
    { address: "CONTRIBUTING.html", title: "Contributing" },
    { address: "SECURITY.html", title: "Security" },
    { address: "CODE_OF_CONDUCT.html", title: "Code of conduct" },
  ],
};

/** The lists of `docs/README.md`, in their order, with those of the API and of the project. */
export function navigationOf(
  pages: readonly SourcePage[],
  reference: readonly NavigationLink[],
): readonly NavigationGroup[] {
  const text = pages.find(({ file }) => file === index)?.text ?? "";
  const groups = text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = ""] = section.split(/[:\n]/, 1);
      return { title: heading.trim(), links: linksIn(section) };
    });
  const start: NavigationGroup = {
    title: "Start",
    links: [
      { address: "index.html", title: "Trimtab" },
      { address: "docs/index.html", title: "All documentation" },
      { address: "examples/index.html", title: "Examples" },
    ],
  };
  return [start, ...groups, { title: "API", links: reference }, project];
}

/** The pages of docs/ that a section links to; those of the project have a list of their own. */
function linksIn(section: string): readonly NavigationLink[] {
  return [...section.matchAll(/\[([^\]]+)\]\(([\w./-]+\.md)\)/g)]
    .map(([, title = "", link = ""]) => ({
      address: addressOf(path.posix.join(path.posix.dirname(index), link)),
      title,
    }))
    .filter(({ address }) => address.startsWith("docs/"));
}
