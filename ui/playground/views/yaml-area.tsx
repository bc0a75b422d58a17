import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ManifestWords } from "../messages.ts";
import { type ChangedText, insertedAt, keptIndent, replaced, rowOf } from "../typed-yaml.ts";

export interface YamlAreaProps {
  readonly id: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The lines with mistakes, from 1 on. */
  readonly wrongLines: ReadonlySet<number>;
  /** What may stand at a place. */
  readonly words: (text: string, at: number) => Promise<ManifestWords>;
  /** Takes keys before the area does; returns whether it did. */
  readonly byKey?: (event: KeyboardEvent) => boolean;
}

/** The words that are offered, and which one Enter writes. */
interface Offer extends ManifestWords {
  readonly chosen: number;
}

/** Whether an offer is one for what has been typed since: the next one may be on its way. */
const isStillMeant = ({ words, chosen }: Offer, typed: string): boolean =>
  words[chosen]?.word.toLowerCase().includes(typed.toLowerCase()) === true;

/** A text of YAML with the numbers of its lines, and the words that its schema has for where the caret is. */
export function YamlArea({
  id,
  text,
  setText,
  wrongLines,
  words,
  byKey = () => false,
}: YamlAreaProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const [scrolled, setScrolled] = useState({ top: 0, left: 0 });
  const [offer, drawOffer] = useState<Offer>();
  // Keys may come before the change by the key before is drawn: what is true is in the area, and here.
  const offered = useRef<Offer>(undefined);
  const setOffer = (next: Offer | undefined) => {
    offered.current = next;
    drawOffer(next);
  };

  const write = (change: ChangedText) => {
    if (area.current !== null) area.current.value = change.text;
    area.current?.setSelectionRange(change.caret, change.caret);
    setText(change.text);
    setOffer(undefined);
  };
  const ask = async (typed: string, at: number) => {
    const found = await words(typed, at);
    // What was typed meanwhile asks anew.
    if (area.current?.selectionStart !== at || area.current.value !== typed) return;
    setOffer(found.words.length > 0 ? { ...found, chosen: 0 } : undefined);
  };
  const accept = (shown: Offer) => {
    const { value = "", selectionStart: to = 0 } = area.current ?? {};
    const { insert = "" } = shown.words[shown.chosen] ?? {};
    write(replaced(value, { from: shown.from, to, by: insert }));
  };
  const choose = (shown: Offer, step: number) =>
    setOffer({ ...shown, chosen: (shown.chosen + step + shown.words.length) % shown.words.length });

  const offerKeys = (shown: Offer): Readonly<Record<string, () => void>> => ({
    ArrowDown: () => choose(shown, 1),
    ArrowUp: () => choose(shown, -1),
    Enter: () => accept(shown),
    Tab: () => accept(shown),
    Escape: () => setOffer(undefined),
  });
  const areaKeys = (now: string, at: number): Readonly<Record<string, () => void>> => ({
    "Ctrl+ ": () => void ask(now, at),
    Enter: () => write(insertedAt(now, at, `\n${keptIndent(now, at)}`)),
  });
  const pressed = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    if (event.isComposing || byKey(event)) return;
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const shown = offered.current;
    const isOffered = shown !== undefined && isStillMeant(shown, value.slice(shown.from, selectionStart));
    const keys = isOffered ? offerKeys(shown) : areaKeys(value, selectionStart);
    const action = keys[event.ctrlKey ? `Ctrl+${event.key}` : event.key];
    if (action === undefined || selectionStart !== selectionEnd) return;
    event.preventDefault();
    action();
  };
  const typed = ({
    currentTarget: { value, selectionStart },
  }: {
    readonly currentTarget: HTMLTextAreaElement;
  }) => {
    setText(value);
    if (/[\w: ]/.test(value[selectionStart - 1] ?? "") && value.length > text.length)
      void ask(value, selectionStart);
    else setOffer(undefined);
  };

  return (
    <div class="yaml-area">
      <LineNumbers count={text.split("\n").length} wrong={wrongLines} top={scrolled.top} />
      <textarea
        id={id}
        ref={area}
        spellcheck={false}
        autocomplete="off"
        aria-autocomplete="list"
        aria-controls={offer && `${id}-words`}
        aria-activedescendant={offer && `${id}-word-${offer.chosen}`}
        value={text}
        onInput={typed}
        onKeyDown={pressed}
        onClick={() => setOffer(undefined)}
        onBlur={() => setOffer(undefined)}
        onScroll={({ currentTarget: { scrollTop, scrollLeft } }) =>
          setScrolled({ top: scrollTop, left: scrollLeft })
        }
      />
      {offer && (
        <Words id={id} offer={offer} place={rowOf(text, offer.from)} scrolled={scrolled} accept={accept} />
      )}
    </div>
  );
}

function LineNumbers({
  count,
  wrong,
  top,
}: {
  readonly count: number;
  readonly wrong: ReadonlySet<number>;
  readonly top: number;
}): JSX.Element {
  return (
    <div class="line-numbers" aria-hidden="true">
      <div style={{ transform: `translateY(${-top}px)` }}>
        {Array.from({ length: count }, (_, index) => (
          <span key={index} class={wrong.has(index + 1) ? "wrong" : undefined}>
            {index + 1}
          </span>
        ))}
      </div>
    </div>
  );
}

interface WordsProps {
  readonly id: string;
  readonly offer: Offer;
  readonly place: { readonly row: number; readonly column: number };
  readonly scrolled: { readonly top: number; readonly left: number };
  readonly accept: (offer: Offer) => void;
}

function Words({ id, offer, place, scrolled, accept }: WordsProps): JSX.Element {
  const chosen = useRef<HTMLLIElement>(null);
  useEffect(() => chosen.current?.scrollIntoView({ block: "nearest" }), [offer.chosen]);
  const style = {
    top: `calc(8px + ${place.row + 1} * 18px - ${scrolled.top}px)`,
    left: `min(calc(44px + ${place.column}ch - ${scrolled.left}px), 100% - 250px)`,
  };
  return (
    <ul id={`${id}-words`} class="words" role="listbox" aria-label="Words of the schema" style={style}>
      {offer.words.map(({ word, detail }, index) => (
        <li
          key={word}
          id={`${id}-word-${index}`}
          ref={index === offer.chosen ? chosen : null}
          role="option"
          aria-selected={index === offer.chosen}
          onMouseDown={(event) => (event.preventDefault(), accept({ ...offer, chosen: index }))}
        >
          {word} <small>{detail}</small>
        </li>
      ))}
    </ul>
  );
}
