// The import directions of the source tree. test/arch/imports.test.ts runs these rules over src and over a tree of
// injected violations; a change here needs a fixture there. Type-only imports count like any other.

const WINGS = ["outbound", "inbound", "discovery"];
const HOST = "(^|/)@(mariozechner|earendil-works)/";
const OLD_HOST = "(^|/)@mariozechner/";
const TYPEBOX = "(^|/)@sinclair/typebox(/|$)";
const BONJOUR = "(^|/)bonjour-service(/|$)";
const LOCAL = ["local", "localmodule"];
const UNRESOLVED = ["unknown", "undetermined"];

/** One rule: files matching `from` must not import `to`; `comment` says what the rule protects. */
const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** Source files of an area may import source files of the areas listed, and no other source file. */
const only = (name, comment, fromPath, allowed) =>
  never(name, comment, { path: fromPath }, { path: "^src/", pathNot: allowed });

const flow = [
  only("entry-to-wiring-only", "The entry hands Pi to the wiring and knows nothing else.", "^src/index\\.ts$", [
    "^src/pi/code-form\\.ts$",
  ]),
  never("nobody-imports-the-entry", "Data flows away from the entry.", { path: "^src/" }, { path: "^src/index\\.ts$" }),
  ...WINGS.map((wing) =>
    only(`wing-${wing}`, "Wings meet in core/ports.ts; src/pi connects them.", `^src/${wing}/`, [
      `^src/${wing}/`,
      "^src/engine/",
      "^src/core/",
    ]),
  ),
  only("engine-to-core", "The engine knows neither HTTP nor Pi.", "^src/engine/", ["^src/engine/", "^src/core/"]),
  only("core-platform", "Platform is the floor.", "^src/core/platform/", ["^src/core/platform/"]),
  only("core-protocol", "platform < protocol", "^src/core/protocol/", ["^src/core/(platform|protocol)/"]),
  only("core-config", "platform < protocol < config", "^src/core/config/", [
    "^src/core/(platform|protocol|config)/",
    "^src/core/ports\\.ts$",
  ]),
  only("core-security", "platform < protocol < config < security", "^src/core/security/", ["^src/core/"]),
  only("core-ports", "Ports name what areas of core already hold.", "^src/core/[^/]+$", ["^src/core/"]),
];

const ports = [
  never(
    "ports-import-types-only",
    "core/ports.ts holds types; it must not load code.",
    { path: "^src/core/ports\\.ts$" },
    { dependencyTypesNot: ["type-only"] },
  ),
  never(
    "ports-imported-as-types",
    "core/ports.ts has nothing to run.",
    { path: "^src/" },
    { path: "^src/core/ports\\.ts$", dependencyTypesNot: ["type-only"] },
  ),
];

const packages = [
  never(
    "host-only-in-pi",
    "Everything that touches Pi is in src/pi.",
    { path: "^src/", pathNot: "^src/pi/" },
    { path: HOST },
  ),
  never(
    "host-by-its-old-name",
    "Both host lines map the old names; the new names fail on the older line.",
    { path: "^src/" },
    { path: HOST, pathNot: OLD_HOST },
  ),
  never(
    "typebox-in-tools-and-config",
    "Schemas are for tool parameters and settings; the wire has hand-written decoders.",
    { path: "^src/", pathNot: ["^src/pi/tools/", "^src/pi/host/host-modules\\.ts$", "^src/core/config/"] },
    { path: TYPEBOX },
  ),
  never(
    "bonjour-in-mdns",
    "The optional package is loaded in one file.",
    { path: "^src/", pathNot: "^src/discovery/mdns\\.ts$" },
    { path: BONJOUR },
  ),
  never(
    "no-other-package",
    "There are no runtime dependencies, and the host offers no other package.",
    { path: "^src/" },
    { dependencyTypesNot: [...LOCAL, ...UNRESOLVED, "core"], pathNot: ["^src/", HOST, TYPEBOX, BONJOUR] },
  ),
];

const node = [
  never(
    "fs-only-in-platform",
    "One owner for files: modes, atomic writes, locks.",
    { path: "^src/", pathNot: "^src/core/platform/" },
    { path: "^(node:)?fs(/|$)", dependencyTypes: ["core"] },
  ),
  never(
    "processes-only-in-platform",
    "One owner for processes: it ends what it starts.",
    { path: "^src/", pathNot: "^src/core/platform/" },
    { path: "^(node:)?child_process$", dependencyTypes: ["core"] },
  ),
  never(
    "http-only-in-inbound-and-platform",
    "Sockets are opened by the server and by the outbound port, nowhere else.",
    { path: "^src/", pathNot: ["^src/inbound/", "^src/core/platform/"] },
    { path: "^(node:)?http(s|2)?$", dependencyTypes: ["core"] },
  ),
];

const whole = [
  never(
    "stays-in-src",
    "What is published does not reach into tests, scripts or build output.",
    { path: "^src/" },
    { dependencyTypes: LOCAL, pathNot: "^src/" },
  ),
  never("resolves", "An import must lead somewhere.", { path: "^src/" }, { couldNotResolve: true }),
  never("no-cycles", "A cycle means that two files are one.", { path: "^src/" }, { circular: true }),
  {
    name: "no-orphans",
    comment: "A file that nothing imports and that imports nothing is dead.",
    severity: "error",
    from: { orphan: true, path: "^src/", pathNot: "^src/index\\.ts$" },
    to: {},
  },
];

module.exports = {
  forbidden: [...flow, ...ports, ...packages, ...node, ...whole],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
