import { expect, test } from "vitest";
import { loadOptional } from "./optional-package.ts";

const needed = { name: "@scope/one", neededBy: "A picture" };

const notFound = (text: string) => Object.assign(new Error(text), { code: "ERR_MODULE_NOT_FOUND" });

test("a package that is installed is loaded", async () => {
  expect(await loadOptional(needed, () => Promise.resolve("it"))).toBe("it");
});

test("a package that is not installed is named, with the command that installs it", async () => {
  const missing = notFound("Cannot find package '@scope/one' imported from /x.js");
  await expect(loadOptional(needed, () => Promise.reject(missing))).rejects.toThrow(
    "A picture needs the package @scope/one, which is not installed: npm install @scope/one",
  );
});

test.each([
  new Error("broken"),
  notFound("Cannot find package 'other' imported from /node_modules/@scope/one/index.js"),
])("another failure stays as it is: %s", async (failure) => {
  const load = async (): Promise<never> => {
    await Promise.resolve();
    throw failure;
  };
  await expect(loadOptional(needed, load)).rejects.toBe(failure);
});
