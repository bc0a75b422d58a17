/** Gets text in pieces, and passes whole lines on. */
export interface LineWriter {
  readonly write: (text: string) => void;
  /** Passes on what no line end followed. */
  readonly end: () => void;
}

/** Writes lines through a function that ends each of them; `writeRest`, if any, gets a last line without its end. */
export function lineWriter(writeLine: (line: string) => void, writeRest = writeLine): LineWriter {
  let rest = "";
  return {
    write(text) {
      const end = (rest + text).lastIndexOf("\n");
      const all = rest + text;
      rest = all.slice(end + 1);
      if (end !== -1) writeLine(all.slice(0, end));
    },
    end() {
      if (rest !== "") writeRest(rest);
      rest = "";
    },
  };
}
