// Rules on source text that neither the compiler, the linter nor the import rules see. Each rule is a function from
// a parsed file to the places that break it, so that the test can also feed it files that must fail.

import { basename } from "node:path";
import ts from "typescript";

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly found: string;
}

interface Parsed extends SourceFile {
  readonly tree: ts.SourceFile;
  readonly declared: ReadonlySet<string>;
}

interface Rule {
  readonly name: string;
  /** Files the rule does not look at. */
  readonly except?: (path: string) => boolean;
  /** Yields the nodes that break the rule; the tree's own node stands for the whole file. */
  readonly find: (file: Parsed) => Iterable<ts.Node>;
}

const MAX_LINES = 299;
const AREAS =
  /^src\/(index\.ts$|(pi|outbound|inbound|discovery|engine|core\/(platform|protocol|config|security))\/|core\/ports\.ts$)/;
const VAGUE_NAMES = /^(utils?|helpers?|common|misc)\.ts$/;
const CASTS_ALLOWED = /^src\/(core\/protocol\/decode-[a-z0-9-]+|core\/platform\/json|pi\/host\/private-fields)\.ts$/;
const CLOCK_GLOBALS = new Set(["setTimeout", "setInterval", "fetch", "performance"]);
const CLOCK_MEMBERS = new Set(["Date.now", "Math.random", "AbortSignal.timeout", "process.hrtime"]);
const COLLECTIONS = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array"]);

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  for (const child of node.getChildren()) {
    yield child;
    yield* nodesOf(child);
  }
}

/** Names that the file itself binds: a parameter called `fetch` is not the global. */
function declaredNames(tree: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const node of nodesOf(tree)) {
    const named =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node);
    if (named && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
  }
  return names;
}

function parse(file: SourceFile): Parsed {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  return { ...file, tree, declared: declaredNames(tree) };
}

/** Whether the identifier is only a name of a member (`x.fetch`, `{ fetch: … }`), not a use of the variable. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node && !isGlobalThis(parent.expression);
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isTypeElement(parent) || ts.isClassElement(parent)) return parent.name === node;
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) return parent.name === node;
  return ts.isQualifiedName(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
}

function isGlobalThis(node: ts.Node): boolean {
  return ts.isIdentifier(node) && node.text === "globalThis";
}

/** Uses of global variables of these names. */
function* globalUses({ tree, declared }: Parsed, names: ReadonlySet<string>): Generator<ts.Identifier> {
  for (const node of nodesOf(tree)) {
    if (!ts.isIdentifier(node) || !names.has(node.text) || isMemberName(node)) continue;
    const throughGlobalThis = ts.isPropertyAccessExpression(node.parent) && isGlobalThis(node.parent.expression);
    if (throughGlobalThis || !declared.has(node.text)) yield node;
  }
}

function* imports({ tree }: Parsed, modules: ReadonlySet<string>): Generator<ts.Node> {
  for (const node of nodesOf(tree)) {
    if (ts.isStringLiteral(node) && modules.has(node.text) && ts.isImportDeclaration(node.parent)) yield node;
  }
}

/** `process` is named only to take one of its members, and that member is not the environment. */
function* environmentUses(file: Parsed): Generator<ts.Node> {
  yield* imports(file, new Set(["process", "node:process"]));
  for (const node of globalUses(file, new Set(["process"]))) {
    const holder = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node;
    const member = holder.parent;
    const plain = ts.isPropertyAccessExpression(member) && member.expression === holder && member.name.text !== "env";
    if (!plain && !ts.isTypeQueryNode(member)) yield member;
  }
}

function* clockUses(file: Parsed): Generator<ts.Node> {
  yield* globalUses(file, CLOCK_GLOBALS);
  yield* imports(file, new Set(["timers", "timers/promises", "node:timers", "node:timers/promises"]));
  yield* imports(file, new Set(["perf_hooks", "node:perf_hooks"]));
  for (const node of nodesOf(file.tree)) {
    if (ts.isPropertyAccessExpression(node) && CLOCK_MEMBERS.has(node.getText().replace(/^globalThis\./, "")))
      yield node;
    if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) yield node;
    if (ts.isCallExpression(node) && node.expression.getText() === "Date") yield node;
  }
}

function isConstAssertion(node: ts.AsExpression): boolean {
  return ts.isTypeReferenceNode(node.type) && node.type.getText() === "const";
}

function* casts({ tree }: Parsed): Generator<ts.Node> {
  for (const node of nodesOf(tree)) {
    if (ts.isAsExpression(node) && !isConstAssertion(node)) yield node;
    if (ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node)) yield node;
  }
}

function* defaultExports({ tree }: Parsed): Generator<ts.Node> {
  for (const node of nodesOf(tree)) {
    if (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)) yield node.parent;
    if (ts.isExportSpecifier(node) && node.name.text === "default") yield node;
  }
}

/** `let` at module level, and collections that start empty there and so can only be meant to be filled. */
function* moduleState({ tree }: Parsed): Generator<ts.Node> {
  for (const statement of tree.statements.filter(ts.isVariableStatement)) {
    const { flags, declarations } = statement.declarationList;
    if ((flags & ts.NodeFlags.Const) === 0) yield statement;
    yield* declarations.filter(({ initializer }) => initializer !== undefined && startsEmpty(initializer));
  }
}

function startsEmpty(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (!ts.isNewExpression(value) || value.arguments?.length) return false;
  return COLLECTIONS.has(value.expression.getText());
}

function isTypeOnly(statement: ts.Statement): boolean {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return true;
  if (ts.isImportDeclaration(statement)) return statement.importClause?.isTypeOnly === true;
  return ts.isExportDeclaration(statement) && statement.isTypeOnly;
}

/** Whether nothing of the file is left when types are stripped. */
export function holdsOnlyTypes(file: SourceFile): boolean {
  return parse(file).tree.statements.every(isTypeOnly);
}

function* thrownStrangers({ tree }: Parsed): Generator<ts.Node> {
  for (const node of nodesOf(tree)) {
    if (!ts.isThrowStatement(node) || !ts.isNewExpression(node.expression)) continue;
    if (node.expression.expression.getText() !== "A2aError") yield node;
  }
}

function* suppressions({ tree, text }: Parsed): Generator<ts.Node> {
  if (/@ts-(ignore|nocheck|expect-error)/.test(text)) yield tree;
}

function* keywords({ tree }: Parsed, kind: ts.SyntaxKind): Generator<ts.Node> {
  for (const node of nodesOf(tree)) if (node.kind === kind) yield node;
}

function* when(file: Parsed, broken: boolean): Generator<ts.Node> {
  if (broken) yield file.tree;
}

const inPlatform = (path: string) => path.startsWith("src/core/platform/");

export const RULES: readonly Rule[] = [
  { name: "known-area", find: (file) => when(file, !AREAS.test(file.path)) },
  { name: "telling-name", find: (file) => when(file, !isTellingName(file.path)) },
  { name: "short-file", find: (file) => when(file, lineCount(file.text) > MAX_LINES) },
  { name: "opens-with-comment", find: (file) => when(file, !/^\/[/*]/.test(file.text)) },
  { name: "no-environment", except: (path) => path === "src/core/config/env.ts", find: environmentUses },
  { name: "no-clock-or-chance", except: inPlatform, find: clockUses },
  { name: "no-casts", except: (path) => CASTS_ALLOWED.test(path), find: casts },
  { name: "no-any", find: (file) => keywords(file, ts.SyntaxKind.AnyKeyword) },
  { name: "no-enum", find: (file) => keywords(file, ts.SyntaxKind.EnumKeyword) },
  { name: "no-console", find: (file) => globalUses(file, new Set(["console"])) },
  { name: "no-suppressions", find: suppressions },
  { name: "no-default-export", except: (path) => path === "src/index.ts", find: defaultExports },
  { name: "no-module-state", find: moduleState },
  { name: "ports-are-types", except: (path) => path !== "src/core/ports.ts", find: runtimeStatements },
  // Callbacks given to Pi may translate an A2aError into the plain error that Pi prints.
  { name: "throws-a2a-error", except: (path) => path.startsWith("src/pi/"), find: thrownStrangers },
];

function runtimeStatements({ tree }: Parsed): ts.Node[] {
  return tree.statements.filter((statement) => !isTypeOnly(statement));
}

function isTellingName(path: string): boolean {
  const name = basename(path);
  return /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name) && !VAGUE_NAMES.test(name);
}

function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

export function violationsOf(source: SourceFile): Violation[] {
  const file = parse(source);
  return RULES.filter((rule) => !rule.except?.(file.path)).flatMap((rule) =>
    [...rule.find(file)].map((node) => describe(rule, file, node)),
  );
}

function describe(rule: Rule, { path, tree }: Parsed, node: ts.Node): Violation {
  const whole = node === tree;
  const line = whole ? 1 : tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return { rule: rule.name, path, line, found: whole ? basename(path) : (node.getText().split("\n")[0] ?? "") };
}
