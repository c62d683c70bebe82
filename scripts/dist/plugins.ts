// How the built form differs from a usual bundle, as plugins of esbuild.

import type { Plugin } from "esbuild";
import { HOST_MODULES } from "../../src/pi/code-form.ts";

/** What src/pi/host/host-modules.ts holds. */
export const GIVEN_MODULES = ["@mariozechner/pi-coding-agent", "@mariozechner/pi-tui", "@sinclair/typebox"];

/** Takes the host's modules from where the entry has put them. */
export function hostModulesGiven(): Plugin {
  return {
    name: "host-modules-given",
    setup(build) {
      build.onResolve({ filter: /^@(mariozechner|earendil-works|sinclair)\// }, ({ path }) => {
        if (GIVEN_MODULES.includes(path)) return { path, namespace: "given" };
        return { errors: [{ text: `${path} is not among the host's modules that the built form is given` }] };
      });
      build.onLoad({ filter: /./, namespace: "given" }, ({ path }) => ({
        contents: `module.exports = globalThis[Symbol.for(${JSON.stringify(HOST_MODULES)})][${JSON.stringify(path)}];`,
        loader: "js",
      }));
    },
  };
}

/** Puts `parts` together in one file `./<name>.js`, and lets every import() lead there. */
export function oneLazyChunk(name: string, root: string, parts: readonly string[]): Plugin {
  return {
    name: "one-lazy-chunk",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ kind }) =>
        kind === "dynamic-import" ? { path: `./${name}.js`, external: true } : undefined,
      );
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "lazy" }));
      build.onLoad({ filter: /./, namespace: "lazy" }, () => ({
        contents: parts.map((path) => `export * from ${JSON.stringify(path)};`).join("\n"),
        resolveDir: root,
        loader: "ts",
      }));
    },
  };
}
