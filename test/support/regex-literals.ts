// The regular expressions of a source file, for tests that judge them.

import ts from "typescript";
import { readText } from "../arch/tree.ts";

export interface RegexLiteral {
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

export function regexLiterals(path: string): readonly RegexLiteral[] {
  const found: RegexLiteral[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ path, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readText(path), ts.ScriptTarget.ES2023, true));
  return found;
}
