// An editor for `kubectl edit`: replaces one text by another in the file it is given.
import { readFileSync, writeFileSync } from "node:fs";

const [from, to, file] = process.argv.slice(2);
writeFileSync(file, readFileSync(file, "utf8").replaceAll(from, to));
