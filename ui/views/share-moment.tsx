import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import { formatMicroTime } from "../../src/api/time.ts";
import { browserSecret } from "../live/browser-random.ts";
import { download } from "../live/download.ts";
import type { Moment } from "../model/snapshot-text.ts";
import type { PageStore } from "../page-store.ts";
import { useStore } from "./use-store.ts";

interface ShareMomentProps {
  readonly label: string;
  /** The moment to share, made when it is asked for. */
  readonly momentOf: (store: PageStore) => Moment;
}

/** Sends a moment to others: as a link that the playground begins with, or as a file that this page opens. */
export function ShareMoment({ label, momentOf }: ShareMomentProps): JSX.Element {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const [said, setSaid] = useState<Said>();
  const [playground, setPlayground] = useState(() => store.playgroundAddress ?? rememberedPlayground());
  const share = async (how: (moment: Moment) => Promise<Said | undefined>) => {
    try {
      setSaid(await how(momentOf(store)));
    } catch (error) {
      // The boundary to the user.
      setSaid({ text: messageOf(error), isBad: true });
    }
  };
  const what = <Said said={said} />;
  if (!isAsking)
    return (
      <>
        <button type="button" class="small" onClick={() => (setSaid(undefined), setAsking(true))}>
          {label}
        </button>
        {what}
      </>
    );
  const copy = () => {
    if (store.playgroundAddress === undefined) localStorage.setItem(rememberedAs, playground);
    return share((moment) => copyLink(moment, playground));
  };
  return (
    <span class="confirm share-moment">
      {store.playgroundAddress === undefined && (
        <label>
          Playground{" "}
          <input
            type="url"
            size={22}
            value={playground}
            title="Where those who follow the link have a playground: trimtab playground --port 8080"
            onInput={({ currentTarget }) => setPlayground(currentTarget.value)}
          />
        </label>
      )}
      <button type="button" class="small strong" onClick={() => void copy()}>
        Copy link
      </button>
      <button type="button" class="small" onClick={() => void share((moment) => save(moment, true))}>
        Save with other names
      </button>
      <button type="button" class="small" onClick={() => void share((moment) => save(moment, false))}>
        Save as it is
      </button>
      <button type="button" class="small" onClick={() => (setSaid(undefined), setAsking(false))}>
        Close
      </button>
      {what}
    </span>
  );
}

/** What came of it. */
interface Said {
  readonly text: string;
  readonly isBad?: boolean;
  /** A link that the browser did not let the page copy. */
  readonly link?: string;
}

function Said({ said }: { readonly said: Said | undefined }): JSX.Element {
  return (
    <span role="status" class={said?.isBad === true ? "bad" : "quiet"}>
      {said?.text}
      {said?.link !== undefined && <input readOnly aria-label="Link" value={said.link} />}
    </span>
  );
}

const rememberedAs = "trimtab-playground";

/** `trimtab playground --port 8080`, until another was asked for. */
function rememberedPlayground(): string {
  return localStorage.getItem(rememberedAs) ?? "http://127.0.0.1:8080/";
}

async function copyLink(moment: Moment, playground: string): Promise<Said> {
  // Only those who share need what writes snapshots.
  const { momentLink } = await import("../model/moment-link.ts");
  const link = await momentLink(moment, { secret: browserSecret(), playground });
  if (!link.ok) return { text: link.why, isBad: true };
  try {
    await navigator.clipboard.writeText(link.href);
    return { text: "Link copied: all is in it, with other names." };
  } catch {
    return { text: "The browser does not let the page copy: ", link: link.href };
  }
}

async function save(moment: Moment, isAnonymised: boolean): Promise<Said> {
  const { snapshotText } = await import("../model/snapshot-text.ts");
  const name = `moment-${formatMicroTime(moment.now).slice(0, 19).replaceAll(":", "")}.yaml`;
  download(name, snapshotText(moment, isAnonymised ? browserSecret() : undefined));
  return { text: `Saved as ${name}.` };
}
