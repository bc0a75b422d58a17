import path from "node:path";
import { build } from "vite";

/** A module and what it imports as one script that a browser runs; fails where any of it needs Node. */
export async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "es2023",
      lib: { entry: path.resolve(entry), formats: ["es"], fileName: "bundle" },
      rolldownOptions: {
        onLog(level, log) {
          // Vite replaces what browsers lack by an empty module, and only says so.
          if (log.message.includes("externalized for browser compatibility")) throw new Error(log.message);
          if (level === "warn") throw new Error(log.message);
        },
      },
    },
  });
  const [output] = [built].flat();
  if (output === undefined || !("output" in output)) throw new Error("the bundle was not written");
  const [chunk] = output.output;
  return chunk.code;
}
