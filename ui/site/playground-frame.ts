/** What the links to the playground become: a button that puts it into the page, so that nothing is loaded unasked. */
export function addPlayground(): void {
  for (const paragraph of document.querySelectorAll<HTMLElement>("p.play")) {
    const link = paragraph.querySelector("a");
    if (link === null) continue;
    // Modules and workers are not loaded from a folder.
    if (location.protocol === "file:") {
      paragraph.textContent =
        "The playground runs in this page when a server serves it: npm run site -- --serve";
      continue;
    }
    const button = document.createElement("button");
    button.textContent = "Play this story here";
    button.addEventListener("click", () => {
      const frame = document.createElement("iframe");
      frame.src = link.href;
      frame.title = "The playground: a cluster in this page";
      paragraph.replaceChildren(frame, link);
      frame.focus();
    });
    link.textContent = "in a tab of its own";
    paragraph.prepend(button, " or ");
  }
}
