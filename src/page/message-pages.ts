/** Renders a page of text in the browser's colours. The texts are constants: nothing from a request is shown. */
function messagePage(title: string, body: readonly string[], head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${head}<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${body.map((paragraph) => `<p>${paragraph}</p>`).join("\n")}
</main>
</body>
</html>
`;
}

/** Shown to a browser without a session: its link was wrong, was used before, or is missing. */
export const linkNeededPage: string = messagePage("This page is opened through a link", [
  "A link opens it once, within an hour, and only in the browser that opened it. This one is wrong, was used already or has expired, or the server of the page was started again.",
  "Where <code>trimtab up</code> or <code>trimtab page</code> runs in a terminal, press Enter there: a new link is printed.",
  "In any other terminal, <code>trimtab page</code> prints a new link to a cluster of <code>trimtab up</code>: with its <code>--name</code> or <code>--kubeconfig</code> if there are several.",
]);

/**
 * Leads to the page. Not a redirect: after a link in a page of another site a browser keeps a SameSite=Strict cookie back
 * until a page of this one has asked.
 */
export const openedPage: string = messagePage(
  "Opening the page",
  ['<a href="/">Continue to the page</a>'],
  '<meta http-equiv="refresh" content="0;url=/">\n',
);

/** Shown while the bundle is not built. */
export const notBuiltPage: string = messagePage(
  "The page is being built",
  [
    "This takes some seconds after the sources have changed; then the page appears by itself.",
    "If it does not, run <code>npm run build</code>.",
  ],
  '<meta http-equiv="refresh" content="1">\n',
);
