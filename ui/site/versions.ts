interface SiteVersion {
  readonly version: string;
  readonly pages: readonly string[];
}

declare global {
  // A script beside the folders of the versions sets it; oxlint-disable-next-line no-var
  var trimtabVersions: readonly SiteVersion[] | undefined;
}

interface Here {
  readonly root: string;
  readonly address: string;
  readonly version: string;
}

/** A choice of the versions that there are, and a line on pages of old ones. */
export function addVersions({ root, address, version }: Here): void {
  const place = document.querySelector("#versions");
  const versions = globalThis.trimtabVersions ?? [];
  if (place === null) return;
  if (versions.length < 2) {
    place.textContent = version;
    return;
  }
  const wayTo = (other: SiteVersion) =>
    `${root}../${other.version}/${other.pages.includes(address) ? address : "index.html"}`;
  const select = document.createElement("select");
  select.ariaLabel = "Version";
  select.append(
    ...versions.map((each) => new Option(each.version, wayTo(each), false, each.version === version)),
  );
  select.addEventListener("change", () => location.assign(select.value));
  place.replaceChildren(select);
  const [newest] = versions;
  if (newest === undefined || newest.version === version) return;
  const notice = document.createElement("p");
  notice.className = "old";
  const link = document.createElement("a");
  link.href = wayTo(newest);
  link.textContent = newest.version;
  notice.append(`This is about ${version}. The newest release is `, link, ".");
  document.querySelector("main")?.prepend(notice);
}
