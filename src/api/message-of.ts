/** What an error says, to be shown to a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
