/** Removes a character from the end of a text, as often as it is there; a regular expression would try every place of it. */
export function trimRight(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
