// Finds which requirements the titles of tests cite. Reads the source with the compiler's parser and runs nothing, so a test counts
// only when its title stands in the file and neither it nor a suite around it is skipped.

import ts from "typescript";

export interface Title {
  readonly path: string;
  readonly line: number;
  /** The title as far as it stands in the source; `…` for what is put in when the test runs. */
  readonly text: string;
  /** Ids in square brackets, anywhere in the title. */
  readonly ids: readonly string[];
}

const CITATION = /\[([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\]/g;
const SUITES = new Set(["describe", "context", "suite"]);

/** The titles of all tests of one file that run. */
export function titlesIn(path: string, source: string): Title[] {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const titles: Title[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      if (isSkipped(node.expression)) return;
      const title = node.arguments[0];
      if (isTest(node.expression) && title !== undefined) {
        const text = textOf(title);
        const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
        titles.push({ path, line, text, ids: [...text.matchAll(CITATION)].map((match) => match[1] ?? "") });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return titles;
}

/** True when the file may hold citations at all: most do not, and need no parsing. */
export function mayCite(source: string): boolean {
  return source.search(CITATION) !== -1;
}

function isTest(callee: ts.Expression): boolean {
  return ts.isIdentifier(callee) && callee.text === "it";
}

/** `it.skip`, `describe.skip`, `xit`, `xdescribe`. */
function isSkipped(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "xit" || callee.text === "xdescribe";
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== "skip") return false;
  const { expression } = callee;
  return ts.isIdentifier(expression) && (expression.text === "it" || SUITES.has(expression.text));
}

function textOf(title: ts.Expression): string {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return "…";
  return title.head.text + title.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
}
