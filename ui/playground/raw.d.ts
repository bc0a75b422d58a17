/** A file as a text, as Vite imports it. */
declare module "*?raw" {
  const text: string;
  // oxlint-disable-next-line import/no-default-export -- how Vite gives it
  export default text;
}
