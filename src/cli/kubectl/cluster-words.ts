/** The words of a line for kubectl, without those that say which cluster is meant. */
export interface ClusterWords {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
}

const clusterFlags = new Set(["name", "kubeconfig", "context"]);

/** Takes `--name`, `--kubeconfig` and `--context` out of a line; words behind `--` are not for us. */
export function takeClusterWords(line: readonly string[]): ClusterWords {
  const words: string[] = [];
  const flags: Record<string, string> = {};
  for (let index = 0; index < line.length; index++) {
    const word = line[index] ?? "";
    if (word === "--") return { words: [...words, ...line.slice(index)], flags };
    const [, name = "", value] = /^--([a-z]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (clusterFlags.has(name)) flags[name] = value ?? line[++index] ?? "";
    else words.push(word);
  }
  return { words, flags };
}
